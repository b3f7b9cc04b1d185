/** Returns a function that makes a value at its first call: for what is slow to make at a start. */
export const once = <T extends object>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
