/** A classic BPF interpreter, as the kernel runs seccomp filters: what the assembler's output is held against. */
export interface Call {
  readonly number: number;
  readonly architecture: number;
  readonly args: readonly bigint[];
}

export function interpret(program: Uint8Array, call: Call): number {
  const code = new DataView(program.buffer, program.byteOffset, program.byteLength);
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, call.number, true);
  data.setUint32(4, call.architecture, true);
  call.args.forEach((value, index) => {
    data.setBigUint64(16 + 8 * index, BigInt.asUintN(64, value), true);
  });
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const operand = code.getUint32(at * 8 + 4, true);
    const jump = (holds: boolean) => {
      at += code.getUint8(at * 8 + (holds ? 2 : 3));
    };
    switch (code.getUint16(at * 8, true)) {
      case 0x20:
        accumulator = data.getUint32(operand, true);
        break;
      case 0x54:
        accumulator = (accumulator & operand) >>> 0;
        break;
      case 0x15:
        jump(accumulator === operand);
        break;
      case 0x35:
        jump(accumulator >= operand);
        break;
      case 0x45:
        jump((accumulator & operand) !== 0);
        break;
      case 0x06:
        return operand;
      default:
        throw new Error(`Instruction ${at} is not one that the kernel knows`);
    }
  }
  throw new Error('The program ran off its end');
}
