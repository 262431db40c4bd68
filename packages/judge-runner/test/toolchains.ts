import type { ProgramSuite } from '../src/index.ts';

/** Cases of a program that reads numbers and prints their sum. */
export const sumCases: ProgramSuite['cases'] = [
  { id: 'sum', layer: 'smoke', stdin: '1 2 3\n', expect: { stdout: '6\n' } },
  { id: 'none', layer: 'edge', stdin: '', expect: { stdout: '0' } },
  {
    id: 'many',
    layer: 'correctness',
    stdin: Array.from({ length: 2000 }, (_, n) => n).join('\n'),
    expect: { stdout: '1999000' },
  },
];
interface Toolchain {
  readonly language: string;
  readonly needs: string;
  readonly suite: Pick<ProgramSuite, 'build' | 'run'>;
  readonly source: string;
  /** A text that does not compile; null where nothing is built. */
  readonly broken: string | null;
}
/** One program in each language: right, and one that does not compile. */
export const toolchains: readonly Toolchain[] = [
  {
    language: 'python',
    needs: '/usr/bin/python3',
    suite: { run: ['python3', 'solution.py'] },
    source: 'import sys\nprint(sum(map(int, sys.stdin.read().split())))\n',
    broken: null,
  },
  {
    language: 'javascript',
    needs: process.execPath,
    suite: { run: ['node', 'solution.mjs'] },
    source:
      "import { readFileSync } from 'node:fs';\nconsole.log(readFileSync(0, 'utf8').split(/\\s+/).filter(Boolean).reduce((a, b) => a + Number(b), 0));\n",
    broken: null,
  },
  {
    language: 'shell',
    needs: '/usr/bin/dash',
    suite: { run: ['sh', 'main.sh'] },
    source: 's=0\nfor n in $(cat); do s=$((s + n)); done\necho "$s"\n',
    broken: null,
  },
  {
    language: 'c',
    needs: '/usr/bin/gcc',
    suite: { build: ['gcc', '-O1', '-o', 'main', 'main.c'], run: ['./main'] },
    source:
      '#include <stdio.h>\nint main(void){long s=0,x;while(scanf("%ld",&x)==1)s+=x;printf("%ld\\n",s);return 0;}\n',
    broken: 'int main(void){ return x; }\n',
  },
  {
    language: 'cpp',
    needs: '/usr/bin/g++',
    suite: { build: ['g++', '-O1', '-o', 'main', 'main.cpp'], run: ['./main'] },
    source: '#include <iostream>\nint main(){long s=0,x;while(std::cin>>x)s+=x;std::cout<<s<<"\\n";}\n',
    broken: 'int main(){ return nothing; }\n',
  },
  {
    language: 'go',
    needs: '/usr/bin/go',
    suite: { build: ['go', 'build', '-o', 'main', 'main.go'], run: ['./main'] },
    source:
      'package main\nimport ("bufio"; "fmt"; "os")\nfunc main() { r := bufio.NewReader(os.Stdin); s := 0; for { var x int; if _, e := fmt.Fscan(r, &x); e != nil { break }; s += x }; fmt.Println(s) }\n',
    broken: 'package main\nfunc main() { undefined() }\n',
  },
  {
    language: 'rust',
    needs: '/usr/bin/rustc',
    suite: { build: ['rustc', '-O', '-o', 'main', 'main.rs'], run: ['./main'] },
    source:
      'use std::io::Read;\nfn main() { let mut t = String::new(); std::io::stdin().read_to_string(&mut t).unwrap(); let s: i64 = t.split_whitespace().map(|x| x.parse::<i64>().unwrap()).sum(); println!("{}", s); }\n',
    broken: 'fn main() { nothing(); }\n',
  },
  {
    language: 'java',
    needs: '/usr/bin/javac',
    suite: {
      build: ['javac', '-J-Xmx256m', '-J-XX:-UsePerfData', '-J-XX:+UseSerialGC', 'Main.java'],
      run: ['java', '-Xmx256m', 'Main'],
    },
    source:
      'import java.util.*;\npublic class Main { public static void main(String[] a) { Scanner s = new Scanner(System.in); long t = 0; while (s.hasNextLong()) t += s.nextLong(); System.out.println(t); } }\n',
    broken: 'public class Main { int x = "text"; }\n',
  },
];
