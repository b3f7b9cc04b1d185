import {
  type AccessEntry,
  accessActions,
  accessObjects,
  type Beneficiary,
  contentFields,
  fieldLabels,
  type MedicalRecordVersion,
  sexes,
} from '@bi-manager/contract'
import type { WholeList } from '../../db/list-page.ts'
import { makePdf, type PdfPart } from '../../pdf/make-pdf.ts'
import type { Held, HeldAttachment, HeldRecord } from './held-data.repository.ts'
import { noteUnreadable } from './unreadable-parts.ts'

interface Parts {
  by: string
  at: Date
  held: Held
  records: AsyncIterable<HeldRecord>
  attachments: AsyncIterable<HeldAttachment>
  accesses: WholeList<AccessEntry>
}

/** A document for people: a whole log would be thousands of pages, and programs read it elsewhere. */
const ACCESSES_IN_PDF = 1_000

/** What is held of somebody, to be read and handed over. Files of attachments are named, not contained. */
export const exportPdf = ({ by, at, ...parts }: Parts): Promise<Buffer> =>
  makePdf({
    title: `Beneficiário nº ${parts.held.beneficiario.id}`,
    about: `${parts.held.beneficiario.id_beneficiario} · ${parts.held.beneficiario.nome_beneficiario}`,
    parts: partsOf(parts),
    by,
    at,
  })

async function* partsOf({
  held,
  records,
  attachments,
  accesses,
}: Omit<Parts, 'by' | 'at'>): AsyncGenerator<PdfPart> {
  const { beneficiario, prontuarios, anexos } = held
  yield { text: 'Tudo o que este portal guarda sobre a pessoa abaixo, arquivado ou não (LGPD, art. 18, II).' }
  const [current, ...earlier] = beneficiario.versoes
  yield { rows: [...personRows(beneficiario), ...(current ? [['Versão', writtenBy(current)] as const] : [])] }
  for (const version of earlier) {
    yield { rows: [['Versão anterior', writtenBy(version)], ...personRows(version)] }
  }
  yield { heading: `Prontuários (${numbers.format(prontuarios.length)})` }
  if (prontuarios.length === 0) yield { text: 'Nenhum.' }
  const unreadable = noteUnreadable(held)
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
      ['Registrado por', record.registrado_por],
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
    ['Enviado por', attachment.enviado_por],
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
  for await (const { quando, nomeUsuario, acao, objeto, idObjeto, finalidade } of rows) {
    const what = `${accessActions[acao]}: ${accessObjects[objeto]} nº ${idObjeto}`
    yield { rows: [[instantOf(quando), `${nomeUsuario}. ${what}. Finalidade: ${finalidade}`]] }
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

const writtenBy = ({ versao, autor, em }: Pick<MedicalRecordVersion, 'versao' | 'autor' | 'em'>): string =>
  `${versao}, de ${autor} em ${instantOf(em)}`

const changeRows = ({ alterado_por, alterado_em }: HeldRecord): Row[] =>
  alterado_em ? [['Alterado por', `${alterado_por ?? ''} em ${instantOf(alterado_em)}`]] : []

const archivingRows = (archived: HeldRecord['arquivado']): Row[] =>
  archived
    ? [
        ['Arquivado por', `${archived.por} em ${instantOf(archived.em)}`],
        ['Motivo', archived.motivo],
      ]
    : []

const labelOf = (field: string): string => fieldLabels[field] ?? field

const numbers = new Intl.NumberFormat('pt-BR')
const instant = new Intl.DateTimeFormat('pt-BR', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'America/Sao_Paulo',
})
const instantOf = (iso: string): string => instant.format(new Date(iso)).replace(', ', ' ')
