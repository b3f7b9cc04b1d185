import type { Author } from '../accounts/professional-registration.ts'
import { callsOf, namedObject } from '../calls/endpoint.ts'
import { entity, type Fields } from '../calls/entity.ts'
import { brazilianDay, REQUIRED, requiredLine, requiredParagraph } from '../calls/fields.ts'
import { EntityId } from '../calls/ids.ts'
import { clinicalPageQuery } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'

export const specialties = [
  'Cardiologia',
  'Dermatologia',
  'Endocrinologia',
  'Gastroenterologia',
  'Hematologia',
  'Neurologia',
  'Oftalmologia',
  'Oncologia',
  'Ortopedia',
  'Pediatria',
  'Psiquiatria',
  'Radiologia',
  'Urologia',
] as const

/** Shown with every prescription: the portal does not sign documents (Resolução CFM 2.299/2021). */
export const PRESCRIPTION_NOTE =
  'Anotação: não vale como receita, pois não leva a assinatura digital que a Resolução CFM 2.299/2021 exige.'

/** Options of both the cost risk and the disease risk. */
export const risks = [
  'Alto custo de medicação',
  'Risco de reação alérgica',
  'Risco de infecção hospitalar',
  'Alto custo de exames',
  'Risco de complicações cirúrgicas',
  'Custo de tratamento prolongado',
  'Risco de efeitos colaterais da medicação',
  'Risco de erro médico',
  'Custo de internação em UTI',
  'Risco de sequelas permanentes',
] as const

/** Maximum length of a text of the record; a typed page has about 3,000 characters. */
export const RECORD_TEXT = 10_000

const option = <const T extends readonly [string, ...string[]]>(options: T) =>
  z.enum(options, { error: ({ input }) => (input ? 'Escolha uma opção da lista.' : REQUIRED) })

/** The fields that a clinician writes; all are stored encrypted. */
const content = {
  especialidade: option(specialties),
  risco_custo: option(risks),
  risco_doenca: option(risks),
  descricao_hd: requiredParagraph(RECORD_TEXT, REQUIRED),
  prescricao_beneficiario: requiredParagraph(RECORD_TEXT, REQUIRED),
}

export type ContentField = keyof typeof content

/** The fields in the order of the form. */
export const contentFields = Object.keys(content) as ContentField[]

/** The same fields as they were written: lists of options may change. */
const writtenContent = {
  especialidade: z.string(),
  risco_custo: z.string(),
  risco_doenca: z.string(),
  descricao_hd: z.string(),
  prescricao_beneficiario: z.string(),
}

export const MedicalRecord = namedObject('MedicalRecord', {
  id: z.number().int(),
  nome_beneficiario: z.string(),
  id_beneficiario: z.string(),
  ...writtenContent,
  /** dd/mm/aaaa in America/Sao_Paulo; set by the server. */
  data_prontuario: z.string(),
  /** When it was registered. */
  registrado_em: z.iso.datetime(),
  /** The beneficiary's `id`. */
  beneficiario: z.number().int(),
  /** The first author; the last change's author and time, null if it was never changed. */
  registrado_por: z.string(),
  idAutor: z.number().int(),
  /** The professional registration at the time, 'CRM 12345/PR'; null if the author had none. */
  registroAutor: z.string().nullable(),
  alterado_por: z.string().nullable(),
  idAlteradoPor: z.number().int().nullable(),
  registroAlteradoPor: z.string().nullable(),
  alterado_em: z.iso.datetime().nullable(),
  versao: z.number().int(),
})
export type MedicalRecord = z.infer<typeof MedicalRecord>

/** Returns the first author. */
export const firstAuthorOf = ({ registrado_por, idAutor, registroAutor }: MedicalRecord): Author => ({
  nome: registrado_por,
  idUsuario: idAutor,
  registro: registroAutor,
})

/** Returns the author and time of the last change; undefined if it was never changed. */
export const lastAuthorOf = (record: MedicalRecord): { por: Author; em: string } | undefined => {
  const {
    alterado_por: nome,
    idAlteradoPor: idUsuario,
    registroAlteradoPor: registro,
    alterado_em: em,
  } = record
  if (nome === null || idUsuario === null || em === null) return undefined
  return { por: { nome, idUsuario, registro }, em }
}

/** An unknown `id_beneficiario` registers the beneficiary with the given name. */
export const MedicalRecordDraft = namedObject('MedicalRecordDraft', {
  nome_beneficiario: requiredLine(120, REQUIRED),
  id_beneficiario: requiredLine(60, REQUIRED),
  ...content,
})
export type MedicalRecordDraft = z.infer<typeof MedicalRecordDraft>

/** The beneficiary cannot change: another `id_beneficiario` is refused; the name is read-only. */
export const MedicalRecordUpdate = namedObject('MedicalRecordUpdate', {
  id_beneficiario: requiredLine(60).optional(),
  ...content,
})
export type MedicalRecordUpdate = z.infer<typeof MedicalRecordUpdate>

export const MedicalRecordVersion = namedObject('MedicalRecordVersion', {
  ...writtenContent,
  versao: z.number().int(),
  /** The author and the time of this version. */
  autor: z.string(),
  idAutor: z.number().int(),
  registroAutor: z.string().nullable(),
  em: z.iso.datetime(),
})
export type MedicalRecordVersion = z.infer<typeof MedicalRecordVersion>

/** Returns the author of this version. */
export const versionAuthorOf = ({ autor, idAutor, registroAutor }: MedicalRecordVersion): Author => ({
  nome: autor,
  idUsuario: idAutor,
  registro: registroAutor,
})

export const medicalRecordEntity = entity({
  kind: 'prontuario',
  title: 'Prontuário',
  list: 'prontuarios',
  listTitle: 'Prontuários',
  path: '/prontuarios',
  permission: 'records:access',
  table: 'prontuario',
  id: 'id',
  actions: {
    'record.created': 'Registrou um prontuário',
    'record.updated': 'Editou um prontuário',
    'record.archived': 'Arquivou um prontuário',
    'record.read': 'Leu prontuários',
    'record.printed': 'Imprimiu um prontuário',
    'record.exported': 'Exportou um prontuário em PDF',
  },
  fields: {
    especialidade: { label: 'Especialidade', control: 'choice', privacy: 'health' },
    risco_custo: { label: 'Risco de custo', control: 'choice', privacy: 'health' },
    risco_doenca: { label: 'Risco da doença', control: 'choice', privacy: 'health' },
    descricao_hd: { label: 'Descrição HD', control: 'text', privacy: 'health' },
    prescricao_beneficiario: { label: 'Prescrição', control: 'text', privacy: 'health' },
    data_prontuario: { label: 'Data do prontuário', privacy: 'health' },
  } satisfies Fields<Pick<MedicalRecord, ContentField | 'data_prontuario'>>,
})

const { get, post, put, remove } = callsOf({ tag: 'Prontuários', permission: medicalRecordEntity.permission })

export const medicalRecordsApi = {
  list: get('/prontuarios', 'Prontuários, do mais novo ao mais antigo', {
    query: clinicalPageQuery.extend({
      de: brazilianDay.optional(),
      ate: brazilianDay.optional().meta({ description: 'dd/mm/aaaa, incluído; não antes de `de`.' }),
      beneficiario: EntityId.optional().meta({
        description: 'Só os deste beneficiário (o `id` do cadastro).',
      }),
    }),
    response: { 200: z.array(MedicalRecord) },
  }),
  get: get('/prontuarios/:id', 'Um prontuário', { response: { 200: MedicalRecord } }),
  create: post('/prontuarios', 'Registra um prontuário', {
    body: MedicalRecordDraft,
    response: { 201: MedicalRecord },
  }),
  update: put('/prontuarios/:id', 'Edita um prontuário; a versão anterior fica guardada', {
    body: MedicalRecordUpdate,
    response: { 200: MedicalRecord },
  }),
  archive: remove('/prontuarios/:id', 'Arquiva um prontuário, com o motivo em X-Motivo; nada se apaga'),
  versions: get('/prontuarios/:id/versoes', 'Versões de um prontuário, da atual à primeira', {
    query: clinicalPageQuery,
    response: { 200: z.array(MedicalRecordVersion) },
  }),
  pdf: get('/prontuarios/:id/pdf', 'Um prontuário em PDF', { contentType: 'application/pdf' }),
  recordPrint: post('/prontuarios/:id/impressao', 'Registra que um prontuário vai ser impresso'),
}
