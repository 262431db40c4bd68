import type { ReferenceCase } from './unearned-references.ts';

const row = 'from typing import NamedTuple\nclass Row(NamedTuple):\n    name: str\n    count: int = 0\n';
const rowOfNew = `from collections import namedtuple
class Row(namedtuple('Row', 'name count')):
    def __new__(cls, name, count=0): return super().__new__(cls, NAME, count)
`;
const task =
  'from dataclasses import dataclass\n@dataclass\nclass Task:\n    name: str\n    count: int = 0\n';
const load = 'def load(name): return Task(name, 0)\n';
const point = 'from typing import NamedTuple\nclass Point(NamedTuple):\n    x: int\n    y: int\n';
const parse = "def parse(text): return Point(*map(int, text.split(',')))\n";
const color = 'from enum import Enum\nclass Color(Enum):\n    RED = 1\n    BLUE = 2\n';
const readsRow =
  "from solution import Row\ndef test_it():\n    assert Row('z').count == 0 and Row('z').name == 'z'\n    assert tuple(Row('z')) == ('z', 0)\n";
const comparesTask = "from solution import Task, load\ndef test_it(): assert load('z') == Task('z')\n";

/** What a class gives an object that a test makes, where a reference of another class shows how its own are made. */
export const unearnedDefaults: readonly ReferenceCase[] = [
  { id: 'the default of a named tuple', tests: readsRow, reference: row, wrong: row.replace('= 0', '= 7') },
  {
    ...{ id: 'what the __new__ of a named tuple changes', tests: readsRow, reference: row },
    wrong: rowOfNew.replace('NAME', 'name.upper()'),
    other: rowOfNew.replace('NAME', 'name'),
  },
  {
    ...{ id: 'the default of a data class that is compared', tests: comparesTask },
    reference: task + load,
    wrong: task.replace('= 0', '= 7') + load,
    other: `${task}    def __post_init__(self): assert self.name\n${load}`,
  },
  {
    ...{ id: 'what a data class makes of what it is given', tests: comparesTask },
    reference: task + load,
    wrong: `${task}    def __post_init__(self): self.name = self.name.upper()\ndef load(name):\n    task = Task(name)\n    task.name = name\n    return task\n`,
  },
  {
    id: 'an own == of a named tuple beside a plain one',
    tests:
      "from solution import parse\ndef test_it():\n    assert parse('1,2') == (1, 2)\n    assert {(1, 2): 'home'}[parse('1,2')] == 'home'\n",
    reference: point + parse,
    wrong: `${point}    def __eq__(self, o): return type(o) is Point and self.x == o.x\n    __hash__ = tuple.__hash__\n${parse}`,
    other: `${point}    def __eq__(self, o): return tuple(self) == o\n    __hash__ = tuple.__hash__\n${parse}`,
  },
  {
    id: 'members of enumerations that a test pickles',
    tests:
      'import pickle\nfrom solution import Color, mix\ndef test_it(): assert pickle.loads(pickle.dumps(mix())) is Color.BLUE\n',
    reference: `${color}def mix(): return Color.BLUE\n`,
    wrong: `${color}def mix(): return Color.RED\n`,
  },
];
