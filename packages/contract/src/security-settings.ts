import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Of whom the installation demands a second factor. */
export const SecondFactorPolicy = z.enum(['opcional', 'administradores', 'todos'])
export type SecondFactorPolicy = z.infer<typeof SecondFactorPolicy>

export const SecuritySettings = z
  .object({
    segundoFator: SecondFactorPolicy,
    /** Active people with a password and without a second factor: whom each rule would ask to set one up. */
    semSegundoFator: z.object({ administradores: z.number().int(), todos: z.number().int() }),
    versao: z.number().int(),
  })
  .meta({ id: 'SecuritySettings' })
export type SecuritySettings = z.infer<typeof SecuritySettings>

const permission = 'settings:manage'
const tag = 'Segurança'

export const securitySettingsApi = {
  get: endpoint({
    method: 'GET',
    url: '/configuracao/seguranca',
    permission,
    tag,
    summary: 'As regras de segurança da instalação',
    response: { 200: SecuritySettings },
  }),
  update: endpoint({
    method: 'PUT',
    url: '/configuracao/seguranca',
    permission,
    tag,
    summary: 'Muda as regras de segurança da instalação',
    body: z.object({ segundoFator: SecondFactorPolicy }).meta({ id: 'SecuritySettingsUpdate' }),
    response: { 200: SecuritySettings },
  }),
}
