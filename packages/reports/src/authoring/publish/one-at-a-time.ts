/** Returns a function that runs works one after the other. */
export const oneAtATime = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next
    return next
  }
}
