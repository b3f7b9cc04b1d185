import { EntraError } from './entra-error.ts'

/** The form of a token request. A field sent twice is a list, which `field` refuses. */
export type Form = Record<string, unknown>

export const formOf = (body: unknown): Form =>
  typeof body === 'object' && body !== null ? (body as Form) : {}

/** @throws EntraError when the field is missing, empty or repeated */
export const field = (form: Form, name: string): string => {
  const value = form[name]
  if (typeof value === 'string' && value) return value
  throw new EntraError('invalid_request', 900144, `The request body must contain the parameter: '${name}'.`)
}

/** Returns what is safe to repeat in an error's text. */
export const printable = (text: string): string => text.replace(/[^\w.:/ @-]/g, '').slice(0, 100)
