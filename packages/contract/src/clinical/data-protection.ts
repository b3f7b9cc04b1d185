import { callsOf, namedObject } from '../calls/endpoint.ts'
import { entity, type Fields } from '../calls/entity.ts'
import { emptyAsNull, REQUIRED, requiredLine, requiredParagraph, typedInstant } from '../calls/fields.ts'
import { clinicalPageQuery, pageQuery } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'
import { Attachment } from './attachments.ts'
import { Beneficiary, BeneficiaryVersion } from './beneficiaries.ts'
import { MedicalRecord, MedicalRecordVersion } from './medical-records.ts'
import { AccessAction, AccessObject } from './purposes.ts'

/** Years that records are kept after the last entry (Lei 13.787/2018, art. 6). */
export const RETENTION_YEARS = 20

const archived = z
  .object({ em: z.iso.datetime(), por: z.string(), idUsuario: z.number().int(), motivo: z.string() })
  .nullable()

export const AccessEntry = namedObject('AccessEntry', {
  idAcesso: z.number().int(),
  quando: z.iso.datetime(),
  idUsuario: z.number().int(),
  nomeUsuario: z.string(),
  acao: AccessAction,
  objeto: AccessObject,
  idObjeto: z.number().int(),
  /** 'Atendimento', 'Outro: …', 'Não informada' */
  finalidade: z.string(),
})
export type AccessEntry = z.infer<typeof AccessEntry>

/** All data held on one beneficiary. */
export const BeneficiaryExport = namedObject('BeneficiaryExport', {
  geradoEm: z.iso.datetime(),
  geradoPor: z.string(),
  /** Versions from newest to oldest, here and below. */
  beneficiario: Beneficiary.extend({ versoes: z.array(BeneficiaryVersion) }),
  prontuarios: z.array(MedicalRecord.extend({ arquivado: archived, versoes: z.array(MedicalRecordVersion) })),
  anexos: z.array(
    Attachment.extend({
      arquivado: archived,
      /** The file's bytes; null without a file. */
      arquivo_base64: z.string().nullable(),
      /** The file is missing from the store, or cannot be decrypted. */
      arquivo_ausente: z.boolean(),
    }),
  ),
  acessos: z.array(AccessEntry),
  /** Data that is held but can no longer be decrypted: 'Prontuário nº 12, versão 2'. */
  ilegiveis: z.array(z.string()),
})
export type BeneficiaryExport = z.infer<typeof BeneficiaryExport>

export const RetentionEntry = namedObject('RetentionEntry', {
  beneficiario: z.number().int(),
  nome_beneficiario: z.string(),
  id_beneficiario: z.string(),
  prontuarios: z.number().int(),
  anexos: z.number().int(),
  /** dd/mm/aaaa: the last entry, and the first day on which the records may be disposed of. */
  ultimo_registro: z.string(),
  descartavel_em: z.string(),
  vencido: z.boolean(),
})
export type RetentionEntry = z.infer<typeof RetentionEntry>

export const incidentSeverities = { baixo: 'Baixo', medio: 'Médio', alto: 'Alto' } as const
export const IncidentSeverity = z.enum(['baixo', 'medio', 'alto'], 'Escolha uma opção.')

const WHOLE = 'Informe um número inteiro a partir de 0.'
const instant = typedInstant('Informe data e hora válidas.')

/** An incident with the fields that ANPD Resolution 15/2024 requires (art. 10). */
export const IncidentDraft = namedObject('IncidentDraft', {
  titulo: requiredLine(160, REQUIRED),
  /** When the controller learned of it; the term of three working days starts here. */
  conhecido_em: instant,
  ocorrido_em: emptyAsNull(instant).optional(),
  descricao: requiredParagraph(5_000, REQUIRED),
  dados_afetados: requiredParagraph(2_000, REQUIRED),
  titulares_afetados: z
    .number(WHOLE)
    .int(WHOLE)
    .min(0, WHOLE)
    .max(1_000_000_000, 'Use no máximo 1.000.000.000.')
    .nullish(),
  gravidade: IncidentSeverity,
  /** 'Pode acarretar risco ou dano relevante': only such incidents must be reported (art. 4). */
  exige_comunicacao: z.boolean(REQUIRED),
  medidas: emptyAsNull(requiredParagraph(5_000)).optional(),
  comunicado_anpd_em: emptyAsNull(instant).optional(),
  comunicado_titulares_em: emptyAsNull(instant).optional(),
  /** The reason for not reporting it. */
  motivo_sem_comunicacao: emptyAsNull(requiredParagraph(2_000)).optional(),
  encerrado_em: emptyAsNull(instant).optional(),
})
export type IncidentDraft = z.infer<typeof IncidentDraft>

export const Incident = namedObject('Incident', {
  id: z.number().int(),
  titulo: z.string(),
  conhecido_em: z.iso.datetime(),
  ocorrido_em: z.iso.datetime().nullable(),
  descricao: z.string(),
  dados_afetados: z.string(),
  titulares_afetados: z.number().int().nullable(),
  gravidade: IncidentSeverity,
  exige_comunicacao: z.boolean(),
  medidas: z.string().nullable(),
  comunicado_anpd_em: z.iso.datetime().nullable(),
  comunicado_titulares_em: z.iso.datetime().nullable(),
  motivo_sem_comunicacao: z.string().nullable(),
  encerrado_em: z.iso.datetime().nullable(),
  /** ISO instant: the end of the third working day after `conhecido_em`, in America/Sao_Paulo. */
  prazo: z.iso.datetime(),
  /** Reported after the term, or the term has passed without a report. */
  fora_do_prazo: z.boolean(),
  registrado_por: z.string(),
  /** The user who registered it. */
  idAutor: z.number().int(),
  registrado_em: z.iso.datetime(),
  versao: z.number().int(),
})
export type Incident = z.infer<typeof Incident>

export const incidentEntity = entity({
  kind: 'incidente',
  title: 'Incidente',
  list: 'incidentes',
  listTitle: 'Registro de incidentes',
  path: '/protecao-de-dados/incidentes',
  permission: 'data-protection:manage',
  table: 'incidente',
  id: 'id',
  actions: {
    'incident.read': 'Leu o registro de incidentes',
    'incident.created': 'Registrou um incidente',
    'incident.updated': 'Editou um incidente',
  },
  fields: {
    titulo: { label: 'Título', control: 'text', privacy: 'health' },
    conhecido_em: { label: 'Quando a empresa soube', control: 'day', privacy: 'none' },
    ocorrido_em: { label: 'Quando aconteceu', control: 'day', privacy: 'none' },
    descricao: { label: 'O que aconteceu', control: 'text', privacy: 'health' },
    dados_afetados: { label: 'Dados afetados', control: 'text', privacy: 'health' },
    titulares_afetados: { label: 'Pessoas afetadas', control: 'optionalText', privacy: 'none' },
    gravidade: { label: 'Risco para as pessoas', control: 'choice', privacy: 'none' },
    exige_comunicacao: { label: 'Exige comunicação', control: 'switch', privacy: 'none' },
    medidas: { label: 'Medidas tomadas', control: 'optionalText', privacy: 'health' },
    comunicado_anpd_em: { label: 'ANPD comunicada em', control: 'day', privacy: 'none' },
    comunicado_titulares_em: { label: 'Pessoas comunicadas em', control: 'day', privacy: 'none' },
    motivo_sem_comunicacao: {
      label: 'Por que não se comunica',
      control: 'optionalText',
      privacy: 'health',
    },
    encerrado_em: { label: 'Encerrado em', control: 'day', privacy: 'none' },
  } satisfies Fields<IncidentDraft>,
})

const { get, post, put } = callsOf({ tag: 'Proteção de dados', permission: incidentEntity.permission })

export const dataProtectionApi = {
  export: get(
    '/protecao-de-dados/beneficiarios/:id/exportacao',
    'Tudo o que se guarda sobre um beneficiário',
    { response: { 200: BeneficiaryExport } },
  ),
  exportPdf: get(
    '/protecao-de-dados/beneficiarios/:id/exportacao.pdf',
    'Tudo o que se guarda sobre um beneficiário, em PDF',
    { contentType: 'application/pdf' },
  ),
  accesses: get(
    '/protecao-de-dados/beneficiarios/:id/acessos',
    'Quem leu ou mudou os dados de um beneficiário, do mais novo ao mais antigo',
    { query: clinicalPageQuery, response: { 200: z.array(AccessEntry) } },
  ),
  accessesCsv: get(
    '/protecao-de-dados/beneficiarios/:id/acessos.csv',
    'O registro de acessos de um beneficiário em CSV',
    { contentType: 'text/csv' },
  ),
  retention: get(
    '/protecao-de-dados/retencao',
    'O que pode ser descartado e quando, do mais próximo ao mais distante',
    { query: clinicalPageQuery, response: { 200: z.array(RetentionEntry) } },
  ),
  listIncidents: get(
    '/protecao-de-dados/incidentes',
    'O registro de incidentes de segurança, do mais novo ao mais antigo',
    { query: pageQuery, response: { 200: z.array(Incident) } },
  ),
  getIncident: get('/protecao-de-dados/incidentes/:id', 'Um incidente', { response: { 200: Incident } }),
  createIncident: post('/protecao-de-dados/incidentes', 'Registra um incidente', {
    body: IncidentDraft,
    response: { 201: Incident },
  }),
  updateIncident: put('/protecao-de-dados/incidentes/:id', 'Edita um incidente', {
    body: IncidentDraft,
    response: { 200: Incident },
  }),
}
