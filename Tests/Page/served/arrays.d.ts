// What browsers of 2023 have and Debian's type checker does not know yet.
interface Array<T> {
  findLastIndex(holds: (value: T, index: number) => unknown): number;
}
