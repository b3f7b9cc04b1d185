/** The values of environment variables, which both services read alike. */

type Environment = Record<string, string | undefined>

/**
 * Returns the variables without the carriage return that a file with Windows line ends leaves at the
 * end of each value.
 */
export const withoutCarriageReturns = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value?.replace(/\r+$/, '')]))

/**
 * Returns why an address is not an origin, to be said after 'deve ser'; undefined when it is one. A
 * longer address is never shortened: the services do not work below a path.
 */
export const originFault = (text: string): string | undefined => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    return 'um endereço http:// ou https:// completo'
  const { origin, pathname, search, hash, username, password } = new URL(text)
  const isOrigin = pathname === '/' && !search && !hash && !/[?#]$/.test(text) && !username && !password
  return isOrigin ? undefined : `só ${origin}, sem caminho, senha nem parâmetros`
}
