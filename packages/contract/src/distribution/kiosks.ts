import { callsOf, namedObject } from '../calls/endpoint.ts'
import { entity, type Fields } from '../calls/entity.ts'
import { entityCalls } from '../calls/entity-calls.ts'
import { emptyAsNull, identityUser, idField, networks, nullableLine, requiredLine } from '../calls/fields.ts'
import { listQuery } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'

/** The look of a kiosk: the person's own setting does not apply to a screen on a wall. */
export const KioskLook = z.enum(['CLARO', 'ESCURO'])
export type KioskLook = z.infer<typeof KioskLook>

export const MAX_KIOSK_PAGES = 40
export const KIOSK_SECONDS = { least: 5, most: 3_600, usual: 30 } as const
/** Networks of one kiosk. */
export const KIOSK_NETWORKS = 50
export const KIOSK_DAYS = { most: 365, usual: 90 } as const

const instant = z.iso.datetime().nullable()

/** A page of the rotation. */
export const KioskPage = namedObject('KioskPage', {
  idTelaoPagina: z.number().int(),
  /** Null: the report was deleted. */
  idRelatorio: z.number().int().nullable(),
  /** The last known name, also of a deleted report. */
  nomeRelatorio: z.string(),
  /** The page's name at the provider; null: the report's first page. */
  pagina: z.string().nullable(),
  /** The page's title when it was chosen. */
  tituloPagina: z.string().nullable(),
  segundos: z.number().int(),
  /** Why the rotation leaves the page out, in Portuguese; null: it is shown. */
  impedimento: z.string().nullable(),
})
export type KioskPage = z.infer<typeof KioskPage>

/** A screen on a wall ('Telão'), which shows pages of reports in turn. */
export const Kiosk = namedObject('Kiosk', {
  idTelao: z.number().int(),
  nome: z.string(),
  /** In the order of the rotation. The reports of these pages are all that the screen may show. */
  paginas: z.array(KioskPage),
  aparencia: KioskLook,
  ativo: z.boolean(),
  /** Days for which a screen stays connected. */
  validadeDias: z.number().int(),
  /** The user of the effective identity, for reports that restrict rows. */
  usuarioIdentidade: z.string().nullable(),
  /** The customData of the effective identity. */
  identidadeRls: z.string().nullable(),
  /** Where the screen may show it; empty: where people of at least one role may use the portal. */
  redes: z.array(z.string()),
  /** When the connected screen was connected; null without one. */
  conectadaEm: instant,
  conectadaPor: z.string().nullable(),
  dispositivo: z.string().nullable(),
  /** When the screen last called, to within a minute. */
  vistaEm: instant,
  /** When the screen must be connected again. */
  expiraEm: instant,
  versao: z.number().int(),
})
export type Kiosk = z.infer<typeof Kiosk>

const seconds = `Informe de ${KIOSK_SECONDS.least} a ${KIOSK_SECONDS.most} segundos.`
const days = `Informe de 1 a ${KIOSK_DAYS.most} dias.`

const KioskPageDraft = namedObject('KioskPageDraft', {
  idRelatorio: idField('Escolha um relatório.'),
  pagina: nullableLine(128).optional(),
  tituloPagina: nullableLine(200).optional(),
  segundos: z.number(seconds).int(seconds).min(KIOSK_SECONDS.least, seconds).max(KIOSK_SECONDS.most, seconds),
})

/** On a PUT, an optional field left out stays unchanged. */
export const KioskDraft = namedObject('KioskDraft', {
  nome: requiredLine(80),
  paginas: z
    .array(KioskPageDraft)
    .min(1, 'Acrescente ao menos uma página.')
    .max(MAX_KIOSK_PAGES, `Um telão tem no máximo ${MAX_KIOSK_PAGES} páginas.`),
  aparencia: KioskLook.optional(),
  ativo: z.boolean().optional(),
  validadeDias: z.number(days).int(days).min(1, days).max(KIOSK_DAYS.most, days).optional(),
  usuarioIdentidade: emptyAsNull(identityUser).optional(),
  identidadeRls: nullableLine(254).optional(),
  redes: networks(KIOSK_NETWORKS).optional(),
})
export type KioskDraft = z.infer<typeof KioskDraft>

/** Letters of a screen's code: no vowels, so that no word appears, and none that look alike. */
export const KIOSK_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
export const KIOSK_CODE_LENGTH = 8

export const WRONG_KIOSK_CODE = 'Código incorreto, vencido ou já usado. Confira o que a tela mostra agora.'

/** Returns a typed code without its hyphen and spaces, in capitals. */
export const kioskCodeOf = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase()

const typedCode = namedObject('KioskCode', {
  codigo: z
    .string('Informe o código que a tela mostra.')
    .max(40, 'O código tem 8 letras.')
    .transform(kioskCodeOf)
    .refine((code) => new RegExp(`^[A-Z]{${KIOSK_CODE_LENGTH}}$`).test(code), {
      error: 'O código tem 8 letras. Confira o que a tela mostra.',
      abort: true,
    })
    // No screen shows other letters.
    .refine((code) => [...code].every((letter) => KIOSK_CODE_LETTERS.includes(letter)), WRONG_KIOSK_CODE),
})

/** The screen behind a code, so that an ADMIN does not connect a stranger's. */
export const KioskCandidate = namedObject('KioskCandidate', {
  /** Browser and system, as the screen names itself. */
  dispositivo: z.string().nullable(),
  endereco: z.string(),
  pedidoEm: z.iso.datetime(),
  expiraEm: z.iso.datetime(),
})
export type KioskCandidate = z.infer<typeof KioskCandidate>

export const ReportPage = namedObject('ReportPage', { nome: z.string(), titulo: z.string() })
export type ReportPage = z.infer<typeof ReportPage>

export const KioskOrder = ['nome'] as const

export const kioskEntity = entity({
  kind: 'telao',
  title: 'Telão',
  list: 'teloes',
  listTitle: 'Lista de telões',
  path: '/usuarios/telao',
  permission: 'kiosks:manage',
  table: 'telao',
  id: 'idTelao',
  name: 'nome',
  actions: {
    'kiosk.created': 'Cadastrou um telão',
    'kiosk.updated': 'Editou um telão',
    'kiosk.deleted': 'Excluiu um telão',
    'kiosk.connected': 'Conectou uma tela a um telão',
    'kiosk.disconnected': 'Desconectou a tela de um telão',
    'kiosk.code-refused': 'Código de tela recusado',
    'kiosk.embed-issued': 'Um telão recebeu o acesso a um relatório',
  },
  references: ['idTelao'],
  unique: { constraint: 'telao_nome_unico', problem: 'telao_ja_cadastrado', field: 'nome' },
  pages: { list: '/teloes', form: '/cadastrar-telao' },
  menu: { title: 'Telões', phoneTitle: 'Telões', list: 'Listar' },
  fields: {
    nome: { label: 'Nome', control: 'text', privacy: 'none' },
    paginas: { label: 'Páginas', control: 'choice', privacy: 'none' },
    aparencia: { label: 'Aparência', control: 'choice', privacy: 'none' },
    ativo: { label: 'Ativo', control: 'switch', privacy: 'none' },
    validadeDias: { label: 'Dias até conectar de novo', control: 'text', privacy: 'none' },
    usuarioIdentidade: { label: 'Usuário enviado', control: 'optionalText', privacy: 'personal' },
    identidadeRls: { label: 'Identidade de segurança', control: 'optionalText', privacy: 'personal' },
    redes: { label: 'Redes permitidas', control: 'optionalText', privacy: 'none' },
    conectadaEm: { label: 'Tela conectada em', isDerived: true, privacy: 'none' },
    conectadaPor: { label: 'Tela conectada por', isDerived: true, privacy: 'personal' },
    dispositivo: { label: 'Dispositivo', isDerived: true, privacy: 'none' },
    vistaEm: { label: 'Vista por último', isDerived: true, privacy: 'none' },
    expiraEm: { label: 'Vence em', isDerived: true, privacy: 'none' },
  } satisfies Fields<Kiosk, 'idTelao'>,
})

const tag = 'Telões'
const { get, post } = callsOf({ tag, permission: kioskEntity.permission })

export const kiosksApi = {
  ...entityCalls(kioskEntity, {
    tag,
    summaries: {
      list: 'Telões, com a tela conectada a cada um',
      get: 'Um telão',
      create: 'Cadastra um telão',
      update: 'Edita um telão; a tela conectada o segue em segundos',
      remove: 'Exclui um telão; a tela conectada volta à página do código',
    },
    reauthentication: {
      create: { if: 'define a identidade cujas linhas a tela mostra, ou redes' },
      update: {
        if: 'troca ou retira a identidade cujas linhas a tela mostra, inclui um relatório em um telão com identidade, ou muda as redes',
      },
    },
    query: listQuery(KioskOrder),
    record: Kiosk,
    draft: KioskDraft,
    update: KioskDraft,
  }),
  listPages: get('/usuarios/telao/relatorio/:idRelatorio/paginas', 'As páginas de um relatório no provedor', {
    response: { 200: z.array(ReportPage) },
  }),
  inspectCode: post('/usuarios/telao/:id/conferir', 'Diz que tela mostra o código, sem gastá-lo', {
    body: typedCode,
    response: { 200: KioskCandidate },
  }),
  connect: post(
    '/usuarios/telao/:id/conectar',
    'Conecta a tela que mostra o código; a que estava conectada volta à página do código',
    { reauthentication: 'always', body: typedCode, response: { 200: Kiosk } },
  ),
  disconnect: post('/usuarios/telao/:id/desconectar', 'Desconecta a tela na hora', {
    response: { 200: Kiosk },
  }),
}
