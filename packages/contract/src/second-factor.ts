import { z } from 'zod'
import { LinkToken } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { MISSING } from './fields.ts'
import { RecordId } from './ids.ts'

/** Six digits of an authenticator app, or a recovery code; spaces and hyphens are removed. */
export const SecondFactorCode = z
  .string(MISSING)
  .max(60, 'Código inválido.')
  .transform((text) => text.replace(/[\s-]/g, ''))
  .pipe(z.string().min(1, MISSING).max(32, 'Código inválido.'))

const CodeBody = z.object({ codigo: SecondFactorCode }).meta({ id: 'SecondFactorConfirmation' })

/** Single-use codes for signing in without the phone; returned only once. */
const RecoveryCodes = z.object({ codigosRecuperacao: z.array(z.string()) }).meta({ id: 'RecoveryCodes' })

export const SecondFactorStatus = z
  .object({
    ativo: z.boolean(),
    desde: z.iso.datetime().nullable(),
    /** Number of unused recovery codes. */
    codigosRestantes: z.number().int(),
    /** Whether the installation requires it of this person: it cannot be turned off then. */
    exigido: z.boolean(),
  })
  .meta({ id: 'SecondFactorStatus' })
export type SecondFactorStatus = z.infer<typeof SecondFactorStatus>

const tag = 'Segundo fator'
// A person who must set it up holds only this permission until then.
const permission = 'session:own'

export const secondFactorApi = {
  status: endpoint({
    method: 'GET',
    url: '/conta/segundo-fator',
    permission,
    tag,
    summary: 'O segundo fator da própria conta',
    response: { 200: SecondFactorStatus },
  }),
  start: endpoint({
    method: 'POST',
    url: '/conta/segundo-fator',
    permission,
    tag,
    summary:
      'Gera o segredo para o aplicativo autenticador; só vale depois de confirmado. Com um já ativo, é a troca de aparelho: pede um código do atual, que vale até lá',
    body: z
      .object({
        senhaAtual: z.string().max(1024).nullish().meta({
          description: 'Exigida quando a entrada com senha foi há mais de 10 minutos.',
        }),
        codigo: SecondFactorCode.nullish().meta({
          description: 'Do segundo fator ativo, do aplicativo ou de recuperação; exigido quando há um.',
        }),
      })
      .meta({ id: 'SecondFactorStart' }),
    response: {
      200: z.object({
        /** Base32, to be typed when the QR code cannot be scanned. */
        segredo: z.string(),
        /** `otpauth://totp/…`, for the QR code. */
        uri: z.string(),
      }),
    },
  }),
  confirm: endpoint({
    method: 'POST',
    url: '/conta/segundo-fator/confirmar',
    permission,
    tag,
    summary:
      'Ativa o segundo fator, ou troca o ativo pelo novo, com um código do aplicativo; encerra as outras sessões',
    body: CodeBody,
    response: { 200: RecoveryCodes },
  }),
  renewCodes: endpoint({
    method: 'POST',
    url: '/conta/segundo-fator/codigos',
    permission,
    tag,
    summary: 'Troca os códigos de recuperação por novos',
    body: CodeBody,
    response: { 200: RecoveryCodes },
  }),
  disable: endpoint({
    method: 'POST',
    url: '/conta/segundo-fator/desativar',
    permission,
    tag,
    summary: 'Desativa o segundo fator, onde não é exigido',
    body: CodeBody,
    response: { 204: z.void() },
  }),
  removeByLink: endpoint({
    method: 'POST',
    url: '/login/remover-segundo-fator',
    permission: 'public',
    tag,
    summary:
      'Retira o segundo fator com o link do e-mail que avisou dele, válido por 24 horas; encerra todas as sessões da pessoa',
    body: z.object({ token: LinkToken }).meta({ id: 'SecondFactorRemoval' }),
    response: { 204: z.void() },
  }),
  reset: endpoint({
    method: 'POST',
    url: '/usuarios/:id/segundo-fator/redefinir',
    permission: 'users:manage',
    tag,
    summary: 'Retira o segundo fator de outra pessoa, que perdeu o aparelho; encerra as sessões dela',
    params: z.object({ id: RecordId }),
    response: { 204: z.void() },
  }),
}
