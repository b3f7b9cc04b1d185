/** A message to the report's frame got no answer in time; powerbi-client itself has no timeout. */
export class TimeLimitError extends Error {
  constructor() {
    super('O relatório não respondeu a tempo. Tente novamente.')
    this.name = 'TimeLimitError'
  }
}

export const withTimeLimit = <T>(work: Promise<T>, limitMs: number): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeLimitError()), limitMs)
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}

/** Resolves after `delayMs`; rejects with the signal's reason if it is aborted first. */
export const pause = (delayMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, delayMs)
    signal.addEventListener('abort', stop, { once: true })
  })
