import { createHmac, randomBytes } from 'node:crypto'
import type { Encrypted, Secrets } from '../../platform/config/secrets.ts'
import { orUndefined } from '../../platform/lib/or-undefined.ts'

/** Where crossings are sent, and the secret that signs them (www.standardwebhooks.com). */
export interface Webhook {
  endereco: string
  /** `whsec_` and base64 of the key. */
  segredo: string
}

export const NOT_PUBLIC =
  'O endereço é de uma rede interna, que o portal não chama: o operador pode liberar o nome em WEBHOOK_PRIVATE_HOSTS.'

const PREFIX = 'whsec_'

/** Returns a secret of 256 bits. */
export const newSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`

export const encryptWebhook = ({ encrypt }: Secrets, webhook: Webhook): Encrypted =>
  encrypt(JSON.stringify(webhook))

/** @returns undefined without one, and when its key was lost */
export const decryptWebhook = ({ decrypt }: Secrets, encrypted: Encrypted | null): Webhook | undefined =>
  encrypted ? orUndefined(() => JSON.parse(decrypt(encrypted)) as Webhook) : undefined

/** Returns the headers that prove sender and time; the receiver ignores a repeated id. */
export const signatureOf = (
  { segredo }: Webhook,
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const key = Buffer.from(segredo.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
