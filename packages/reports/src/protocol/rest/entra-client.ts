import { EntraError } from './entra-error.ts'
import { isSameSecret } from './same-secret.ts'
import type { ServiceFile } from './service-file.ts'
import { type Form, field, printable } from './token-form.ts'

/** The application that asks for a token, and whether it sent its secret. */
export type Client = { clientId: string; clientSecret: string; hasProof: boolean }

/**
 * Finds the application, named in the form or by Basic authentication (RFC 6749, section 2.3.1).
 * A public client sends no secret; a secret that is sent must be correct.
 * @throws EntraError
 */
export const identifyClient = (
  form: Form,
  authorization: string | undefined,
  { applications }: ServiceFile,
): Client => {
  const { clientId, secret } = basicCredentials(form, authorization) ?? formCredentials(form)
  const application = applications.find((known) => known.clientId.toLowerCase() === clientId.toLowerCase())
  if (!application) {
    const description = `Application with identifier '${printable(clientId)}' was not found in the directory.`
    throw new EntraError('unauthorized_client', 700016, description)
  }
  if (secret !== undefined && !isSameSecret(secret, application.clientSecret))
    throw new EntraError('invalid_client', 7000215, 'Invalid client secret provided.')
  return {
    clientId: application.clientId.toLowerCase(),
    clientSecret: application.clientSecret,
    hasProof: secret !== undefined,
  }
}

export const missingSecret = () =>
  new EntraError('invalid_client', 7000218, "The request body must contain 'client_secret'.")

const formCredentials = (form: Form) => {
  const clientId = field(form, 'client_id')
  if (form.client_secret === '') throw missingSecret()
  return {
    clientId,
    secret: form.client_secret === undefined ? undefined : field(form, 'client_secret'),
  }
}

/** Both parts are form-encoded before they are joined. */
const basicCredentials = (form: Form, authorization = '') => {
  const [, encoded] = /^Basic +([\w+/=-]+)$/i.exec(authorization) ?? []
  if (encoded === undefined) return undefined
  const [, id, secret] = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  const clientId = decode(id)
  // A request authenticates in one way only.
  const isContradicted =
    form.client_secret !== undefined ||
    (form.client_id !== undefined && field(form, 'client_id').toLowerCase() !== clientId.toLowerCase())
  if (isContradicted)
    throw new EntraError('invalid_request', 9002313, 'Invalid request. Request is malformed or invalid.')
  return { clientId, secret: decode(secret) }
}

const decode = (text: string | undefined): string => {
  const [[, value = ''] = []] = [...new URLSearchParams(`v=${(text ?? '').replaceAll('&', '%26')}`)]
  if (value) return value
  throw new EntraError('invalid_client', 7000218, 'The Authorization header must name client and secret.')
}
