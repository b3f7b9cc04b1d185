import {
  type AccessEntry,
  accessActions,
  accessObjects,
  authorText,
  type Beneficiary,
  contentFields,
  fieldLabels,
  firstAuthorOf,
  lastAuthorOf,
  type MedicalRecordVersion,
  PRESCRIPTION_NOTE,
  senderOf,
  sexes,
} from '@bi-manager/contract'
import type { Letterhead } from '../../platform/brand/brand.ts'
import type { WholeList } from '../../platform/db/queries/list-page.ts'
import { makePdf, type PdfPart } from '../../platform/files/pdf/make-pdf.ts'
import { dayText, timeText } from '../../platform/lib/local-time.ts'
import type { ExportParts } from './beneficiary-json.ts'
import type { HeldAttachment, HeldRecord } from './held-data.repository.ts'
import { collectUnreadable } from './unreadable-parts.ts'

/**
 * The document is for people: a complete log could be thousands of pages, and programs read it
 * elsewhere.
 */
const ACCESSES_IN_PDF = 1_000

/** Creates a PDF of all data held on a beneficiary. Attachments are listed without their files. */
export const exportPdf = ({ by, at, ...parts }: ExportParts, letterhead: Letterhead): Promise<Buffer> =>
  makePdf({
    title: `Beneficiário nº ${parts.held.beneficiario.id}`,
    about: `${parts.held.beneficiario.id_beneficiario} · ${parts.held.beneficiario.nome_beneficiario}`,
    parts: partsOf(parts),
    by,
    at,
    letterhead,
  })

async function* partsOf({
  held,
  records,
  attachments,
  accesses,
}: Omit<ExportParts, 'by' | 'at'>): AsyncGenerator<PdfPart> {
  const { beneficiario, prontuarios, anexos } = held
  yield { text: 'Tudo o que este portal guarda sobre a pessoa abaixo, arquivado ou não (LGPD, art. 18, II).' }
  const [current, ...earlier] = beneficiario.versoes
  yield { rows: [...personRows(beneficiario), ...(current ? [['Versão', writtenBy(current)] as const] : [])] }
  for (const version of earlier) {
    yield { rows: [['Versão anterior', writtenBy(version)], ...personRows(version)] }
  }
  yield { heading: `Prontuários (${numbers.format(prontuarios.length)})` }
  if (prontuarios.length === 0) yield { text: 'Nenhum.' }
  const unreadable = collectUnreadable(held)
  for await (const record of unreadable.records(records)) yield* recordParts(record)
  yield { heading: `Anexos (${numbers.format(anexos.length)})` }
  if (anexos.length === 0) yield { text: 'Nenhum.' }
  else yield { text: 'Os arquivos em si vêm na exportação em JSON.' }
  for await (const attachment of unreadable.attachments(attachments)) yield attachmentPart(attachment)
  if (unreadable.parts.length > 0) {
    yield { heading: `O que não pode ser lido (${numbers.format(unreadable.parts.length)})` }
    for (const part of unreadable.parts) yield { text: part }
  }
  yield { heading: `Quem leu ou mudou estes dados (${numbers.format(accesses.count)})` }
  yield* accessParts(accesses)
}

function* recordParts(record: HeldRecord): Generator<PdfPart> {
  yield { heading: `Prontuário nº ${record.id}, de ${record.data_prontuario}` }
  yield {
    rows: [
      ['Registrado por', authorText(firstAuthorOf(record))],
      ...changeRows(record),
      ...archivingRows(record.arquivado),
      ['Versão', String(record.versao)],
    ],
  }
  const [current, ...earlier] = record.versoes
  if (current) yield* contentParts(current)
  for (const version of earlier) {
    yield {
      rows: [['Versão anterior', writtenBy(version)]],
    }
    yield* contentParts(version)
  }
}

function* contentParts(version: MedicalRecordVersion): Generator<PdfPart> {
  const short = contentFields.filter((field) => !longFields.has(field))
  yield { rows: short.map((field) => [labelOf(field), version[field]] as const) }
  for (const field of longFields) yield { label: labelOf(field), text: version[field] }
  yield { text: PRESCRIPTION_NOTE }
}

const longFields = new Set(['descricao_hd', 'prescricao_beneficiario'] as const) as Set<
  (typeof contentFields)[number]
>

const attachmentPart = (attachment: HeldAttachment): PdfPart => ({
  rows: [
    ['Anexo', `nº ${attachment.id}, de ${attachment.data_anexo}`],
    ['Título', attachment.titulo_anexo],
    ['Descrição', attachment.descricao_anexo],
    ['Arquivo', fileText(attachment)],
    ['Enviado por', authorText(senderOf(attachment))],
    ...archivingRows(attachment.arquivado),
  ],
})

const fileText = ({ formato, tamanho_bytes, tipo_anexo }: HeldAttachment): string =>
  formato
    ? `${tipo_anexo} (${formato}), ${numbers.format(Math.ceil((tamanho_bytes ?? 0) / 1024))} KB`
    : 'Sem arquivo'

async function* accessParts({ count, rows }: WholeList<AccessEntry>): AsyncGenerator<PdfPart> {
  if (count > ACCESSES_IN_PDF) {
    const shown = numbers.format(ACCESSES_IN_PDF)
    yield {
      text: `Os ${shown} mais recentes. A lista inteira vem na exportação em JSON e no CSV de acessos.`,
    }
  }
  let left = ACCESSES_IN_PDF
  for await (const { quando, nomeUsuario, idUsuario, acao, objeto, idObjeto, finalidade } of rows) {
    const what = `${accessActions[acao]}: ${accessObjects[objeto]} nº ${idObjeto}`
    const who = authorText({ nome: nomeUsuario, idUsuario, registro: null })
    yield { rows: [[instantOf(quando), `${who}. ${what}. Finalidade: ${finalidade}`]] }
    left -= 1
    if (left === 0) return
  }
}

type Row = readonly [label: string, value: string]

const personRows = (person: Omit<Beneficiary, 'id' | 'versao'>): Row[] => [
  ['Nome', person.nome_beneficiario],
  ['ID no plano', person.id_beneficiario],
  ['Data de nascimento', person.data_nascimento ?? ''],
  ['Sexo', person.sexo ? sexes[person.sexo] : ''],
  ['Plano', person.plano ?? ''],
  ['Operadora', person.operadora ?? ''],
]

interface Writing extends Pick<MedicalRecordVersion, 'versao' | 'autor' | 'idAutor' | 'em'> {
  /** Null for beneficiary versions: their author needs no professional registration. */
  registroAutor?: string | null
}

const writtenBy = ({ versao, autor: nome, idAutor: idUsuario, registroAutor = null, em }: Writing): string =>
  `${versao}, de ${authorText({ nome, idUsuario, registro: registroAutor })} em ${instantOf(em)}`

const changeRows = (record: HeldRecord): Row[] => {
  const changed = lastAuthorOf(record)
  return changed ? [['Alterado por', `${authorText(changed.por)} em ${instantOf(changed.em)}`]] : []
}

const archivingRows = (archived: HeldRecord['arquivado']): Row[] =>
  archived
    ? [
        [
          'Arquivado por',
          `${authorText({ nome: archived.por, idUsuario: archived.idUsuario, registro: null })} em ${instantOf(archived.em)}`,
        ],
        ['Motivo', archived.motivo],
      ]
    : []

const labelOf = (field: string): string => fieldLabels[field] ?? field

const numbers = new Intl.NumberFormat('pt-BR')
const instantOf = (iso: string): string => `${dayText(new Date(iso))} ${timeText(new Date(iso))}`
