import { existsSync } from 'node:fs'

/** The values of environment variables, which both services read alike. */

type Environment = Record<string, string | undefined>

/**
 * Returns the variables without the carriage return that a file with Windows line ends leaves at the
 * end of each value.
 */
export const withoutCarriageReturns = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value?.replace(/\r+$/, '')]))

/**
 * Returns why a setting may not name this folder: earlier versions kept the carriage return in the
 * name of a folder, so without it the services would start with a new, empty folder.
 */
export const renamedFolderFault = (env: Environment, name: string): string | undefined => {
  const folder = env[name] ?? ''
  if (!folder.endsWith('\r') || !existsSync(folder)) return undefined
  const named = folder.replace(/\r+$/, '')
  return `Configuração inválida: ${name} termina com um retorno de carro (fim de linha do Windows), e a pasta com esse nome existe. Pare o serviço, renomeie a pasta para ${named} (mv ${named}$'\\r' ${named}) e tire o retorno de carro do arquivo.`
}

/**
 * Returns why the services cannot start with this file of certificates: Node reads its name, with the
 * carriage return, before any code of a service runs, and continues without the file.
 */
export const extraCertificatesFault = ({ NODE_EXTRA_CA_CERTS = '' }: Environment): string | undefined => {
  const named = NODE_EXTRA_CA_CERTS.replace(/\r+$/, '')
  if (named === NODE_EXTRA_CA_CERTS || !named.trim()) return undefined
  return `Configuração inválida: NODE_EXTRA_CA_CERTS termina com um retorno de carro (fim de linha do Windows), e o Node, que lê este nome antes do serviço, não achou o arquivo ${named}. Tire o retorno de carro do arquivo de configuração e inicie de novo.`
}

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
