import {
  authorText,
  fieldLabels,
  firstAuthorOf,
  lastAuthorOf,
  type MedicalRecord,
  PRESCRIPTION_NOTE,
} from '@bi-manager/contract'
import { makePdf } from '../../platform/files/pdf/make-pdf.ts'
import type { PdfHead } from '../../platform/files/pdf/pdf-document.ts'
import { dayText, timeText } from '../../platform/lib/local-time.ts'

export const recordPdf = (
  record: MedicalRecord,
  made: Pick<PdfHead, 'by' | 'at' | 'letterhead'>,
): Promise<Buffer> =>
  makePdf({
    title: `Prontuário nº ${record.id}`,
    about: `Prontuário nº ${record.id} · ${record.id_beneficiario} · ${record.nome_beneficiario}`,
    parts: [
      { rows: shortFields.map((field) => [labelOf(field), record[field]] as const) },
      ...longFields.flatMap((field) => [{ heading: labelOf(field) }, { text: record[field] }]),
      { text: PRESCRIPTION_NOTE },
      { heading: 'Registro' },
      { rows: authorsOf(record) },
    ],
    ...made,
  })

const shortFields = [
  'nome_beneficiario',
  'id_beneficiario',
  'data_prontuario',
  'especialidade',
  'risco_custo',
  'risco_doenca',
] as const
const longFields = ['descricao_hd', 'prescricao_beneficiario'] as const

const labelOf = (field: (typeof shortFields | typeof longFields)[number]): string =>
  fieldLabels[field] ?? field

const authorsOf = (record: MedicalRecord) => {
  const last = lastAuthorOf(record)
  const changed = last ? [['Alterado por', `${authorText(last.por)} em ${instantOf(last.em)}`] as const] : []
  return [
    ['Registrado por', authorText(firstAuthorOf(record))] as const,
    ...changed,
    ['Versão', String(record.versao)] as const,
  ]
}

const instantOf = (iso: string): string => `${dayText(new Date(iso))}, ${timeText(new Date(iso))}`
