import { callsOf, namedObject } from '../calls/endpoint.ts'
import { MISSING } from '../calls/fields.ts'
import { z } from '../calls/zod.ts'
import { LinkToken } from './accounts.ts'

/** Six digits of an authenticator app, or a recovery code; spaces and hyphens are removed. */
export const SecondFactorCode = z
  .string(MISSING)
  .max(60, 'Código inválido.')
  .transform((text) => text.replace(/[\s-]/g, ''))
  .pipe(z.string().min(1, MISSING).max(32, 'Código inválido.'))

const CodeBody = namedObject('SecondFactorConfirmation', { codigo: SecondFactorCode })

/** Single-use codes for signing in without the phone; returned only once. */
const RecoveryCodes = namedObject('RecoveryCodes', { codigosRecuperacao: z.array(z.string()) })

export const SecondFactorStatus = namedObject('SecondFactorStatus', {
  ativo: z.boolean(),
  desde: z.iso.datetime().nullable(),
  /** Number of unused recovery codes. */
  codigosRestantes: z.number().int(),
  /** Whether the installation requires it of this person: it cannot be turned off then. */
  exigido: z.boolean(),
})
export type SecondFactorStatus = z.infer<typeof SecondFactorStatus>

// A person who must set it up holds only this permission until then.

const { get, post } = callsOf({ tag: 'Segundo fator', permission: 'session:own' })

export const secondFactorApi = {
  status: get('/conta/segundo-fator', 'O segundo fator da própria conta', {
    response: { 200: SecondFactorStatus },
  }),
  start: post(
    '/conta/segundo-fator',
    'Gera o segredo para o aplicativo autenticador; só vale depois de confirmado. Com um já ativo, é a troca de aparelho: pede um código do atual, que vale até lá',
    {
      reauthentication: 'password',
      body: namedObject('SecondFactorStart', {
        senhaAtual: z.string().max(1024).nullish().meta({
          description: 'Exigida quando a entrada com senha foi há mais de 10 minutos.',
        }),
        codigo: SecondFactorCode.nullish().meta({
          description: 'Do segundo fator ativo, do aplicativo ou de recuperação; exigido quando há um.',
        }),
      }),
      response: {
        200: z.object({
          /** Base32, to be typed when the QR code cannot be scanned. */
          segredo: z.string(),
          /** `otpauth://totp/…`, for the QR code. */
          uri: z.string(),
        }),
      },
    },
  ),
  confirm: post(
    '/conta/segundo-fator/confirmar',
    'Ativa o segundo fator, ou troca o ativo pelo novo, com um código do aplicativo; encerra as outras sessões',
    { body: CodeBody, response: { 200: RecoveryCodes } },
  ),
  renewCodes: post('/conta/segundo-fator/codigos', 'Troca os códigos de recuperação por novos', {
    body: CodeBody,
    response: { 200: RecoveryCodes },
  }),
  disable: post('/conta/segundo-fator/desativar', 'Desativa o segundo fator, onde não é exigido', {
    body: CodeBody,
  }),
  removeByLink: post(
    '/login/remover-segundo-fator',
    'Retira o segundo fator com o link do e-mail que avisou dele, válido por 24 horas; encerra todas as sessões da pessoa',
    { permission: 'public', body: namedObject('SecondFactorRemoval', { token: LinkToken }) },
  ),
  reset: post(
    '/usuarios/:id/segundo-fator/redefinir',
    'Retira o segundo fator de outra pessoa, que perdeu o aparelho; encerra as sessões dela',
    { permission: 'users:manage', reauthentication: 'always' },
  ),
}
