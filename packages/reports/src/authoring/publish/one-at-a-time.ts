export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Returns a function that runs works one after the other: each reads a whole file into memory. */
export const oneAtATime = (): InTurn => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next
    return next
  }
}
