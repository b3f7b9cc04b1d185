import { callsOf, namedObject } from '../calls/endpoint.ts'
import { entity, type Fields, importLineOf, importPreviewOf } from '../calls/entity.ts'
import { brazilianDay, emptyAsNull, REQUIRED, requiredLine } from '../calls/fields.ts'
import { clinicalPageQuery } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'

export const sexes = { feminino: 'Feminino', masculino: 'Masculino', outro: 'Outro' } as const
export const Sex = z.enum(['feminino', 'masculino', 'outro'], 'Escolha uma opção.')
export type Sex = z.infer<typeof Sex>

/** A member of a health plan. `id` is ours; `id_beneficiario` is the plan's (the card number). */
export const Beneficiary = namedObject('Beneficiary', {
  id: z.number().int(),
  nome_beneficiario: z.string(),
  id_beneficiario: z.string(),
  /** dd/mm/aaaa */
  data_nascimento: z.string().nullable(),
  sexo: Sex.nullable(),
  plano: z.string().nullable(),
  operadora: z.string().nullable(),
  versao: z.number().int(),
})
export type Beneficiary = z.infer<typeof Beneficiary>

export const BeneficiaryVersion = Beneficiary.omit({ id: true })
  .extend({
    /** The author and the time of this version. */
    autor: z.string(),
    idAutor: z.number().int(),
    em: z.iso.datetime(),
  })
  .meta({ id: 'BeneficiaryVersion' })
export type BeneficiaryVersion = z.infer<typeof BeneficiaryVersion>

export const BeneficiaryDraft = namedObject('BeneficiaryDraft', {
  nome_beneficiario: requiredLine(120, REQUIRED),
  id_beneficiario: requiredLine(60, REQUIRED),
  data_nascimento: emptyAsNull(brazilianDay).optional(),
  sexo: emptyAsNull(Sex).optional(),
  plano: emptyAsNull(requiredLine(120)).optional(),
  operadora: emptyAsNull(requiredLine(120)).optional(),
})
export type BeneficiaryDraft = z.infer<typeof BeneficiaryDraft>

export const beneficiaryEntity = entity({
  kind: 'beneficiario',
  title: 'Beneficiário',
  list: 'beneficiarios',
  listTitle: 'Beneficiários',
  path: '/beneficiarios',
  permission: 'records:access',
  table: 'beneficiario',
  id: 'id',
  actions: {
    'beneficiary.created': 'Cadastrou um beneficiário',
    'beneficiary.updated': 'Editou um beneficiário',
    'beneficiary.imported': 'Importou beneficiários',
    'beneficiary.read': 'Leu o cadastro de beneficiários',
    'beneficiary.exported': 'Exportou tudo sobre um beneficiário',
  },
  unique: {
    constraint: 'beneficiario_id_unico',
    problem: 'beneficiario_ja_cadastrado',
    field: 'id_beneficiario',
  },
  fields: {
    nome_beneficiario: {
      label: 'Nome do beneficiário',
      csvImport: 'nome',
      control: 'text',
      privacy: 'health',
    },
    id_beneficiario: { label: 'ID do beneficiário', csvImport: 'id', control: 'text', privacy: 'health' },
    data_nascimento: {
      label: 'Data de nascimento',
      csvImport: 'nascimento',
      control: 'day',
      privacy: 'health',
    },
    sexo: { label: 'Sexo', csvImport: 'sexo', control: 'choice', privacy: 'health' },
    plano: { label: 'Plano', csvImport: 'plano', control: 'optionalText', privacy: 'health' },
    operadora: { label: 'Operadora', csvImport: 'operadora', control: 'optionalText', privacy: 'health' },
  } satisfies Fields<BeneficiaryDraft>,
})

/** Maximum number of search results, most recently registered first. */
export const MAX_FOUND = 50

/** The search text is in the body, so that names appear in no address or log. */
export const BeneficiarySearch = z.object({ texto: requiredLine(120) }).meta({
  id: 'BeneficiarySearch',
  description: 'O id exato, ou o nome completo, sem diferença de acentos, apóstrofos e maiúsculas.',
})

/** Rows of one CSV file, as typed. `linha` is the line in the file, for error messages. */
export const BeneficiaryImport = namedObject('BeneficiaryImport', {
  linhas: z
    .array(importLineOf(beneficiaryEntity, ['nome_beneficiario', 'id_beneficiario']))
    .min(1, 'O arquivo não tem nenhum beneficiário.')
    .max(1000, 'Importe no máximo 1.000 beneficiários de uma vez.'),
})
export type BeneficiaryImport = z.infer<typeof BeneficiaryImport>

const BeneficiaryImportPreview = importPreviewOf('BeneficiaryImportPreview', {
  nome_beneficiario: z.string(),
  id_beneficiario: z.string(),
})

const { get, post, put } = callsOf({ tag: 'Beneficiários', permission: beneficiaryEntity.permission })

export const beneficiariesApi = {
  list: get('/beneficiarios', 'Beneficiários, do último cadastrado ao primeiro', {
    query: clinicalPageQuery,
    response: { 200: z.array(Beneficiary) },
  }),
  get: get('/beneficiarios/:id', 'Um beneficiário', { response: { 200: Beneficiary } }),
  create: post('/beneficiarios', 'Cadastra um beneficiário', {
    body: BeneficiaryDraft,
    response: { 201: Beneficiary },
  }),
  update: put('/beneficiarios/:id', 'Edita um beneficiário; o que não vem fica como está', {
    body: BeneficiaryDraft.partial(),
    response: { 200: Beneficiary },
  }),
  search: post('/beneficiarios/busca', 'Acha beneficiários pelo id exato ou pelo nome completo', {
    body: BeneficiarySearch,
    response: { 200: z.array(Beneficiary) },
  }),
  previewImport: post(
    '/beneficiarios/importacao/previa',
    'Confere linha por linha o que seria importado; não grava nada',
    { body: BeneficiaryImport, response: { 200: BeneficiaryImportPreview } },
  ),
  import: post('/beneficiarios/importacao', 'Cadastra todos os beneficiários do arquivo, ou nenhum', {
    body: BeneficiaryImport,
    response: { 201: z.object({ cadastrados: z.number().int() }) },
  }),
}
