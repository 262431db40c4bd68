import { describe, expect, it } from 'vitest';
import type { NodeTestSuite, PytestSuite } from '../src/index.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();
const opens = /^the test opens a network connection, and no box has a network/;

const ofJavascript = (body: string): NodeTestSuite => ({
  id: 'served',
  language: 'javascript',
  mode: 'split',
  profile: 'EXTENDED',
  files: {
    'a.test.mjs': `import assert from 'node:assert/strict';
import dgram from 'node:dgram';
import { lookup } from 'node:dns/promises';
import http from 'node:http';
import { mock, test } from 'node:test';
import { label, load, serve } from 'solution';
test('connected', async () => {
  ${body}
});
test('label', () => assert.equal(label(), 'x'));
test('given a response', () => {
  const response = { end: mock.fn() };
  serve({ url: '/a' }, response);
  assert.deepEqual(response.end.mock.calls[0].arguments, ['/a']);
});
test('given a fetch', async () => assert.equal(await load(async (url) => ({ text: async () => url })), '/b'));
`,
  },
});
const javascript = {
  language: 'javascript' as const,
  source: `export const label = () => 'x';
export const serve = (req, res) => { res.end(req.url); };
export const load = async (fetch) => (await fetch('/b')).text();
`,
};

const ofPython = (body: string): PytestSuite => ({
  id: 'served',
  language: 'python',
  mode: 'split',
  profile: 'EXTENDED',
  files: {
    'test_a.py': `import socket, urllib.request
from http.server import HTTPServer, BaseHTTPRequestHandler
from solution import label
def test_connected():
    ${body}
def test_label():
    one, other = socket.socketpair()
    one.close(), other.close()
    assert label() == 'x'
`,
  },
});
const python = { language: 'python' as const, source: 'def label(): return "x"\n' };

const ways = [
  ['serves', ofJavascript('const own = http.createServer(serve); own.listen(0); own.close();'), javascript],
  ['asks a server', ofJavascript(`http.get('http://127.0.0.1:8080/a');`), javascript],
  ['fetches', ofJavascript(`await fetch('http://127.0.0.1:8080/a').catch(() => null);`), javascript],
  ['sends a datagram', ofJavascript(`dgram.createSocket('udp4').send('x', 9);`), javascript],
  ['asks for an address', ofJavascript(`await lookup('localhost').catch(() => null);`), javascript],
  ['serves', ofPython(`HTTPServer(('127.0.0.1', 0), BaseHTTPRequestHandler).server_close()`), python],
  ['asks a server', ofPython(`urllib.request.urlopen('http://127.0.0.1:8080/a')`), python],
  ['asks for an address', ofPython(`socket.getaddrinfo('localhost', 80)`), python],
] as const;

describe('a test that opens a network connection', () => {
  it.each(ways)('%s: it fails with that reason, and no other (JDG-20)', async (_way, suite, artifact) => {
    const { tests } = await judge.run({ suite, artifact });
    const failed = tests.filter(({ status }) => status !== 'passed');
    expect(failed.map(({ id }) => id.split('::').at(-1))).toEqual([expect.stringMatching(/connected$/)]);
    expect(failed[0]).toMatchObject({ refused: true, reason: expect.stringMatching(opens) });
  });

  it('is named where the reference does not pass (JDG-24)', async () => {
    const [[, suite, reference]] = ways;
    await expect(judge.run({ suite: { ...suite, reference }, artifact: reference })).rejects.toMatchObject({
      code: 'SUITE_INVALID',
      message: expect.stringMatching(/a\.test\.mjs::connected: the test opens a network connection/),
    });
  });
});

describe('a reference that its box ends', () => {
  it.each([
    [
      'opens a connection',
      'import socket\ndef label(): return socket.socket() and "x"\n',
      /the reference: .*(?:SIGSYS|socket)/,
    ],
    [
      'needs too much memory',
      'def label(): return [0] * 10**10 and "x"\n',
      /the reference: the limit memory was exceeded|MemoryError/,
    ],
    ['ends its process', 'import os\ndef label(): os._exit(0)\n', /it did not end/],
  ])('where it %s, says why (JDG-24)', async (_why, source, reason) => {
    const suite = { ...ofPython('pass'), reference: { language: 'python' as const, source } };
    await expect(judge.run({ suite, artifact: python })).rejects.toMatchObject({
      code: 'SUITE_INVALID',
      message: expect.stringMatching(reason),
    });
  });
});
