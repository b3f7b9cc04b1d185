/** The server is not reached, in a request that our code sends without `fetch`. */
export class NetworkError extends Error {
  override name = 'NetworkError'
}

/**
 * What `fetch` and `import()` reject with when the server is not reached or the answer breaks off,
 * in Chromium, Firefox, Safari and Node: a TypeError, like most bugs, so only its text tells.
 */
const NETWORK_MESSAGES = [
  /^(Failed to fetch|fetch failed|Load failed|terminated|Error in input stream|Could not connect to the server)/i,
  /^(NetworkError|network error|The network connection|A network error|The Internet connection appears to be offline)/i,
  /^(error loading dynamically imported module|Importing a module script failed)/i,
]

/** The network's DOMExceptions; others come from the browser's storage or from a wrong use of its API. */
const NETWORK_NAMES = new Set(['AbortError', 'TimeoutError', 'NetworkError'])

/** Returns whether an error comes from the network (also a time limit), and not from our code. */
export const isNetworkError = (error: unknown): boolean =>
  error instanceof NetworkError ||
  (error instanceof DOMException && NETWORK_NAMES.has(error.name)) ||
  (error instanceof TypeError && NETWORK_MESSAGES.some((message) => message.test(error.message)))

/** What the screen says after a bug of ours. */
export const BUG_MESSAGE =
  'Ocorreu um erro inesperado. Tente novamente; se continuar, avise o suporte do sistema.'
