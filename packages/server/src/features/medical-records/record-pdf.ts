import { fieldLabels, type MedicalRecord } from '@bi-manager/contract'
import { makePdf } from '../../pdf/make-pdf.ts'

export const recordPdf = (record: MedicalRecord, made: { by: string; at: Date }): Promise<Buffer> =>
  makePdf({
    title: `Prontuário nº ${record.id}`,
    about: `Prontuário nº ${record.id} · ${record.id_beneficiario} · ${record.nome_beneficiario}`,
    parts: [
      { rows: shortFields.map((field) => [labelOf(field), record[field]] as const) },
      ...longFields.flatMap((field) => [{ heading: labelOf(field) }, { text: record[field] }]),
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

const authorsOf = ({ registrado_por, alterado_por, alterado_em, versao }: MedicalRecord) => {
  const changed = alterado_em
    ? [['Alterado por', `${alterado_por ?? ''} em ${instant.format(new Date(alterado_em))}`] as const]
    : []
  return [['Registrado por', registrado_por] as const, ...changed, ['Versão', String(versao)] as const]
}

const instant = new Intl.DateTimeFormat('pt-BR', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'America/Sao_Paulo',
})
