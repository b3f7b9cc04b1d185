import { callsOf, namedObject } from '../calls/endpoint.ts'
import { isSeen, networks, requiredLine, UNSEEN } from '../calls/fields.ts'
import { listQuery } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'

/**
 * What an API key may be allowed to do. `api-key-groups.ts` has the calls of each group; a key
 * reaches no other call.
 */
export const KeyGroup = z.enum(['RELATORIOS', 'DADOS', 'ATUALIZAR', 'USUARIOS', 'PUBLICAR', 'AUDITORIA'])
export type KeyGroup = z.infer<typeof KeyGroup>

interface KeyGroupText {
  title: string
  explanation: string
  /** Only an ADMIN can choose it. */
  isForAdmins: boolean
}

export const keyGroupTexts: Record<KeyGroup, KeyGroupText> = {
  RELATORIOS: {
    title: 'Ver meus relatórios',
    explanation: 'Lista e busca os relatórios liberados para você, e diz de quando são os dados.',
    isForAdmins: false,
  },
  DADOS: {
    title: 'Ler dados dos relatórios',
    explanation: 'Abre e exporta os relatórios, com as mesmas linhas que você vê. Vale também para o MCP.',
    isForAdmins: false,
  },
  ATUALIZAR: {
    title: 'Atualizar dados dos relatórios',
    explanation: 'Pede a atualização dos dados que você pode atualizar.',
    isForAdmins: false,
  },
  USUARIOS: {
    title: 'Listar usuários',
    explanation: 'Lê o cadastro de usuários. Não muda nada nele.',
    isForAdmins: true,
  },
  PUBLICAR: {
    title: 'Publicar relatórios',
    explanation: 'Publica relatórios e substitui dados no serviço local.',
    isForAdmins: true,
  },
  AUDITORIA: {
    title: 'Ler a auditoria',
    explanation: 'Lê e exporta a trilha de auditoria.',
    isForAdmins: true,
  },
}

/** Days for which a key may be valid. */
export const KEY_DAYS = { most: 365, usual: 90 } as const
export const KEYS_OF_A_PERSON = 20
export const MAX_KEY_NETWORKS = 20

const instant = z.iso.datetime()

const keyFields = {
  idChave: z.number().int(),
  nome: z.string(),
  /** Its first characters, by which the owner recognises it. */
  prefixo: z.string(),
  grupos: z.array(KeyGroup),
  /** The networks from which the key may be used. An empty list allows all networks. */
  redes: z.array(z.string()),
  criadaEm: instant,
  expiraEm: instant,
  /** The last use, to within a minute; null: never used. */
  usadaEm: instant.nullable(),
  usadaDe: z.string().nullable(),
}

/** A key with which a program calls the portal as the person who made it. */
export const ApiKey = namedObject('ApiKey', keyFields)
export type ApiKey = z.infer<typeof ApiKey>

/** A key in the list of the administrators. */
export const OwnedApiKey = namedObject('OwnedApiKey', {
  ...keyFields,
  idUsuario: z.number().int(),
  nomeUsuario: z.string(),
  /** Why its calls are refused at the moment, in Portuguese; null: it works. */
  impedimento: z.string().nullable(),
})
export type OwnedApiKey = z.infer<typeof OwnedApiKey>

const days = `Informe de 1 a ${KEY_DAYS.most} dias.`
const noGroup = 'Escolha ao menos uma permissão.'

export const ApiKeyDraft = namedObject('ApiKeyDraft', {
  nome: requiredLine(80).refine(isSeen, UNSEEN),
  grupos: z
    .array(KeyGroup, noGroup)
    .min(1, noGroup)
    .transform((groups) => KeyGroup.options.filter((group) => groups.includes(group))),
  dias: z.number(days).int(days).min(1, days).max(KEY_DAYS.most, days),
  redes: networks(MAX_KEY_NETWORKS).default([]),
})
export type ApiKeyDraft = z.infer<typeof ApiKeyDraft>

const OwnApiKeys = namedObject('OwnApiKeys', {
  /** Whether the person may make keys, and use those they have. */
  podeCriar: z.boolean(),
  /** Whether the MCP server answers. */
  mcp: z.boolean(),
  chaves: z.array(ApiKey),
})

const NewApiKey = namedObject('NewApiKey', {
  chave: ApiKey,
  /** The key itself. No other answer has it. */
  credencial: z.string(),
})
export type NewApiKey = z.infer<typeof NewApiKey>

export const ApiKeySettings = namedObject('ApiKeySettings', {
  /** Whether people who are no administrators may make and use keys. */
  pessoas: z.boolean(),
  /** Whether the MCP server answers. */
  mcp: z.boolean(),
  versao: z.number().int(),
})
export type ApiKeySettings = z.infer<typeof ApiKeySettings>

export const ApiKeyOrder = ['nome', 'nomeUsuario', 'criadaEm', 'expiraEm', 'usadaEm'] as const

const tag = 'Chaves de API'
const own = callsOf({ tag, permission: 'account:own' })
const { get, put, remove } = callsOf({ tag, permission: 'api-keys:manage' })

export const apiKeysApi = {
  listOwn: own.get('/conta/chaves', 'As próprias chaves de API, as mais novas primeiro', {
    response: { 200: OwnApiKeys },
  }),
  create: own.post('/conta/chaves', 'Cria uma chave de API, mostrada só nesta resposta', {
    reauthentication: 'always',
    body: ApiKeyDraft,
    response: { 201: NewApiKey },
  }),
  revokeOwn: own.remove('/conta/chaves/:id', 'Revoga uma chave própria na hora'),
  list: get('/chaves', 'As chaves de API de todas as pessoas', {
    query: listQuery(ApiKeyOrder),
    response: { 200: z.array(OwnedApiKey) },
  }),
  revoke: remove('/chaves/:id', 'Revoga uma chave de qualquer pessoa na hora, e avisa a pessoa'),
  getSettings: get('/configuracao/chaves', 'As regras das chaves de API', {
    response: { 200: ApiKeySettings },
  }),
  updateSettings: put('/configuracao/chaves', 'Muda as regras das chaves de API', {
    reauthentication: { if: 'permite chaves a mais pessoas, ou o servidor MCP' },
    body: namedObject('ApiKeySettingsUpdate', { pessoas: z.boolean(), mcp: z.boolean() }),
    response: { 200: ApiKeySettings },
  }),
}
