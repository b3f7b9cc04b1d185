import { callsOf, namedObject } from '../calls/endpoint.ts'
import { MISSING } from '../calls/fields.ts'
import { z } from '../calls/zod.ts'
import { SecondFactorCode } from './second-factor.ts'

/** A live session of the person ('Meus acessos'). */
export const OwnSession = namedObject('OwnSession', {
  idSessao: z.guid(),
  /** The User-Agent header, for the person to recognise; null if there was none. */
  dispositivo: z.string().nullable(),
  metodo: z.enum(['senha', 'provedor']),
  /** The second factor used; null if none was required. */
  segundoFator: z.enum(['codigo', 'codigo_recuperacao']).nullable(),
  criadaEm: z.iso.datetime(),
  ultimoUso: z.iso.datetime(),
  expiraEm: z.iso.datetime(),
  /** Whether this is the session of the request. */
  atual: z.boolean(),
})
export type OwnSession = z.infer<typeof OwnSession>

/** Means by which a person can prove again that the session is theirs. */
export const ReauthenticationMethod = z.enum(['senha', 'codigo'])
export type ReauthenticationMethod = z.infer<typeof ReauthenticationMethod>

const Confirmation = z
  .object({
    senha: z.string().min(1, MISSING).max(1024).optional(),
    codigo: SecondFactorCode.optional().meta({
      description: 'Do segundo fator, do aplicativo ou de recuperação; no lugar da senha.',
    }),
  })
  .refine(({ senha, codigo }) => (senha === undefined) !== (codigo === undefined), {
    path: ['senha'],
    error: 'Informe a senha ou um código.',
  })
  .meta({ id: 'SessionConfirmation' })

const { get, post, remove } = callsOf({ tag: 'Sessões', permission: 'account:own' })

export const ownSessionsApi = {
  list: get('/conta/sessoes', 'As próprias sessões abertas, a usada por último primeiro', {
    response: { 200: z.array(OwnSession) },
  }),
  end: remove('/conta/sessoes/:idSessao', 'Encerra uma sessão própria na hora', {
    params: z.object({ idSessao: z.guid() }),
  }),
  endAll: remove(
    '/conta/sessoes',
    'Encerra todas as próprias sessões, menos a que pede; com `atual=true`, também ela',
    {
      query: z.object({ atual: z.stringbool().optional() }),
      response: { 200: z.object({ encerradas: z.number().int() }) },
    },
  ),
  proofs: get(
    '/conta/confirmacao',
    'Com o que a pessoa pode confirmar que é ela; sem nenhum meio, ela entra de novo',
    { response: { 200: z.object({ meios: z.array(ReauthenticationMethod) }) } },
  ),
  confirm: post(
    '/conta/confirmacao',
    'Confirma, com a senha ou um código do segundo fator, quem está na sessão; vale 10 minutos, para o que responde `reautenticacao_necessaria`',
    { body: Confirmation },
  ),
}
