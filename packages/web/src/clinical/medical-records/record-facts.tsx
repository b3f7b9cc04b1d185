import {
  fieldLabels,
  firstAuthorOf,
  lastAuthorOf,
  type MedicalRecord,
  PRESCRIPTION_NOTE,
} from '@bi-manager/contract'
import type { ReactNode } from 'react'
import { fullTime } from '../../lib/text/relative-time.ts'
import shared from '../../ui/shared.module.css'
import { AuthorName } from './author-name.tsx'
import classes from './medical-records.module.css'

interface Fact {
  label: string | undefined
  value: ReactNode
  /** Text of several lines, shown at full width. */
  isText?: boolean
  /** A note shown below the value. */
  note?: string
}

/** All fields of a record, on the screen and in print. */
export const RecordFacts = ({ record }: { record: MedicalRecord }) => (
  <dl className={`${shared.facts} ${classes.facts}`}>
    {factsOf(record).map(({ label, value, isText, note }) => (
      <div key={label} data-wide={isText}>
        <dt>{label}</dt>
        <dd className={isText ? classes.text : undefined}>{value}</dd>
        {note && <dd className={shared.smallNote}>{note}</dd>}
      </div>
    ))}
  </dl>
)

const factsOf = (record: MedicalRecord): Fact[] => [
  { label: fieldLabels.nome_beneficiario, value: record.nome_beneficiario },
  { label: fieldLabels.id_beneficiario, value: record.id_beneficiario },
  { label: fieldLabels.especialidade, value: record.especialidade },
  { label: fieldLabels.data_prontuario, value: record.data_prontuario },
  { label: fieldLabels.risco_custo, value: record.risco_custo },
  { label: fieldLabels.risco_doenca, value: record.risco_doenca },
  { label: fieldLabels.descricao_hd, value: record.descricao_hd, isText: true },
  {
    label: fieldLabels.prescricao_beneficiario,
    value: record.prescricao_beneficiario,
    isText: true,
    note: PRESCRIPTION_NOTE,
  },
  { label: 'Registrado por', value: <AuthorName {...firstAuthorOf(record)} /> },
  { label: 'Última alteração', value: lastChange(record) },
]

const lastChange = (record: MedicalRecord): ReactNode => {
  const last = lastAuthorOf(record)
  if (!last) return 'Nunca alterado'
  return (
    <>
      <AuthorName {...last.por} />, {fullTime(last.em)} (versão{'\u00a0'}
      {record.versao})
    </>
  )
}
