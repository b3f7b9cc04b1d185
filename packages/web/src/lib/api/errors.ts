/**
 * What `fetch` and `import()` reject with when the server is not reached or the answer breaks off,
 * in Chromium, Firefox, Safari and Node: a TypeError, like most bugs, so only its text tells.
 */
const NETWORK_MESSAGES = [
  /^(Failed to fetch|fetch failed|Load failed|terminated)/i,
  /network (error|connection|request)|NetworkError|offline/i,
  /^(error loading dynamically imported module|Importing a module script failed)/i,
]

/** Returns whether an error comes from the network (also a time limit), and not from our code. */
export const isNetworkError = (error: unknown): boolean =>
  error instanceof DOMException ||
  (error instanceof TypeError && NETWORK_MESSAGES.some((message) => message.test(error.message)))

/** What the screen says after a bug of ours. */
export const BUG_MESSAGE =
  'Ocorreu um erro inesperado. Tente novamente; se continuar, avise o suporte do sistema.'
