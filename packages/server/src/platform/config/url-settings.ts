import { originFault } from '@bi-manager/telemetry/environment'
import { z } from 'zod'
import { orUndefined } from '../lib/or-undefined.ts'

/** An origin, such as https://bi.empresa.com.br:8443. */
export const origin = z
  .string()
  .superRefine((text, context) => {
    const fault = originFault(text)
    if (fault) context.addIssue({ code: 'custom', message: `deve ser ${fault}` })
  })
  .transform((text) => new URL(text).origin)

/** Returns a check of an address that may contain a password. */
export const mustBeUrl =
  (protocol: RegExp, message: string) =>
  (text: string, context: z.RefinementCtx): void => {
    const fault = urlFault(text, protocol, message)
    if (fault) context.addIssue({ code: 'custom', message: fault })
  }

const urlFault = (text: string, protocol: RegExp, message: string): string | undefined => {
  const url = orUndefined(() => new URL(text))
  const isProtocol = protocol.test(/^[a-z]+:/i.exec(text)?.[0].toLowerCase() ?? '')
  // What precedes the first of these marks is read as the host: a password would be cut there.
  const [, path = '', query = '', fragment] = /^[a-z]+:\/\/[^/?#]*([^?#]*)([^#]*)(#.*)?$/is.exec(text) ?? []
  const isCut = fragment !== undefined || path.includes('@') || /^\?[^=&]*@/.test(query)
  if (isProtocol && (isCut || (!url && query.includes('@')))) return ENCODED
  if (!url || !isProtocol) return message
  const { username, password } = url
  return orUndefined(() => decodeURIComponent(`${username}:${password}`)) === undefined ? ENCODED : undefined
}

const ENCODED =
  'tem no usuário ou na senha um caractere que precisa ser codificado: escreva % como %25, # como %23, / como %2F, ? como %3F e @ como %40'
