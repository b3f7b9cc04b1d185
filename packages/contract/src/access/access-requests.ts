import { callsOf, namedObject } from '../calls/endpoint.ts'
import { emptyAsNull, idField, lastDay, requiredParagraph } from '../calls/fields.ts'
import { listQuery, searchText } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'
import { EmbedRequest, namedReport } from '../reports/reports.ts'

/** What became of a request for access ('Pedido de acesso'). */
export const AccessRequestState = z.enum(['ABERTO', 'LIBERADO', 'PERFIL', 'RECUSADO'])
export type AccessRequestState = z.infer<typeof AccessRequestState>

export const ACCESS_REQUEST_LENGTH = { reason: 500, message: 500 } as const
/** Requests of one person in 24 hours. */
export const MAX_ACCESS_REQUESTS_PER_DAY = 10
/** Reports without access in a search. */
export const HIDDEN_MATCHES = 20

const reason = requiredParagraph(ACCESS_REQUEST_LENGTH.reason, 'Diga por que você precisa deste relatório.')

export const AccessRequestDraft = EmbedRequest.extend({ motivo: reason }).meta({ id: 'AccessRequestDraft' })
export type AccessRequestDraft = z.infer<typeof AccessRequestDraft>

const request = {
  idPedido: z.number().int(),
  motivo: z.string(),
  situacao: AccessRequestState,
  criadoEm: z.iso.datetime(),
  respondidoEm: z.iso.datetime().nullable(),
  /** What the ADMIN wrote to the person. */
  mensagem: z.string().nullable(),
}

/** A person's own request. It says nothing of a report that the person may not know. */
export const OwnAccessRequest = namedObject('OwnAccessRequest', {
  ...request,
  /** The address as asked for. */
  groupId: z.string(),
  reportId: z.string(),
  idRelatorio: z.number().int().nullable(),
  /** Null unless the person may see the report, or find its name. */
  nomeRelatorio: z.string().nullable(),
  /** Its workspace, likewise. */
  nomeGrupo: z.string().nullable(),
})
export type OwnAccessRequest = z.infer<typeof OwnAccessRequest>

/** A request as ADMINs see it. */
export const AccessRequest = namedObject('AccessRequest', {
  ...request,
  idUsuario: z.number().int(),
  nomeUsuario: z.string(),
  emailUsuario: z.string(),
  /** Null when the address led to no report, or the report was deleted. */
  idRelatorio: z.number().int().nullable(),
  nomeRelatorio: z.string().nullable(),
  nomeGrupo: z.string().nullable(),
  /** The person may see the report now, whatever became of the request. */
  jaTemAcesso: z.boolean(),
  /** Who answered, and the profile that the person joined. */
  respondidoPor: z.string().nullable(),
  nomePerfil: z.string().nullable(),
})
export type AccessRequest = z.infer<typeof AccessRequest>

/** A profile that has the report: what a person gets who joins it. */
export const AccessRequestProfile = namedObject('AccessRequestProfile', {
  idPerfil: z.number().int(),
  nomePerfil: z.string(),
  quantidadeRelatorios: z.number().int(),
})
export type AccessRequestProfile = z.infer<typeof AccessRequestProfile>

const message = emptyAsNull(requiredParagraph(ACCESS_REQUEST_LENGTH.message)).default(null)

export const AccessRequestAnswer = z
  .discriminatedUnion('decisao', [
    z.object({
      decisao: z.literal('LIBERADO'),
      /** The last day of the grant; null: no end. */
      validoAte: lastDay.default(null),
      mensagem: message,
    }),
    z.object({ decisao: z.literal('PERFIL'), idPerfil: idField('Escolha um perfil.'), mensagem: message }),
    z.object({
      decisao: z.literal('RECUSADO'),
      mensagem: requiredParagraph(
        ACCESS_REQUEST_LENGTH.message,
        'Diga à pessoa por que o pedido foi recusado.',
      ),
    }),
  ])
  .meta({ id: 'AccessRequestAnswer' })
export type AccessRequestAnswer = z.infer<typeof AccessRequestAnswer>

/** A report that the person cannot open, whose name the ADMIN lets everyone find. */
export const HiddenReport = namedObject('HiddenReport', namedReport)
export type HiddenReport = z.infer<typeof HiddenReport>

const tag = 'Pedidos de acesso'
const own = callsOf({ tag, permission: 'reports:view' })
const { get, post } = callsOf({ tag, permission: 'grants:manage' })

export const accessRequestsApi = {
  create: own.post(
    '/meus-pedidos-acesso',
    'Pede acesso a um relatório; responde o mesmo para um endereço que não existe. De novo, responde 200',
    { body: AccessRequestDraft, response: { 201: OwnAccessRequest, 200: OwnAccessRequest } },
  ),
  listOwn: own.get('/meus-pedidos-acesso', 'Os próprios pedidos de acesso, os mais novos primeiro', {
    response: { 200: z.array(OwnAccessRequest) },
  }),
  searchHidden: own.get(
    '/relatorios-sem-acesso',
    'Relatórios que a pessoa não pode abrir, por nome; nenhum se os administradores não permitem a busca',
    {
      query: z.object({
        busca: searchText.min(1),
      }),
      response: { 200: z.array(HiddenReport) },
    },
  ),
  list: get('/pedidos-acesso', 'Pedidos de acesso a relatórios', {
    query: listQuery(['nomeUsuario', 'criadoEm']).extend({ situacao: AccessRequestState.optional() }),
    response: { 200: z.array(AccessRequest) },
  }),
  listProfiles: get('/pedidos-acesso/:id/perfis', 'Os perfis que têm o relatório de um pedido', {
    response: { 200: z.array(AccessRequestProfile) },
  }),
  answer: post(
    '/pedidos-acesso/:id/resposta',
    'Libera o relatório, põe a pessoa num perfil que o tem, ou recusa; a pessoa é avisada',
    { body: AccessRequestAnswer, response: { 200: AccessRequest } },
  ),
}
