import { fieldLabels, type MedicalRecord } from '@bi-manager/contract'
import { fullTime } from '../../lib/relative-time.ts'
import classes from './medical-records.module.css'

interface Fact {
  label: string | undefined
  value: string
  /** Several lines, over the whole width. */
  isText?: boolean
}

/** All that a record holds, on the screen and on paper. */
export const RecordFacts = ({ record }: { record: MedicalRecord }) => (
  <dl className={classes.facts}>
    {factsOf(record).map(({ label, value, isText }) => (
      <div key={label} data-wide={isText}>
        <dt>{label}</dt>
        <dd className={isText ? classes.text : undefined}>{value}</dd>
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
  { label: fieldLabels.prescricao_beneficiario, value: record.prescricao_beneficiario, isText: true },
  { label: 'Registrado por', value: record.registrado_por },
  { label: 'Última alteração', value: lastChange(record) },
]

const lastChange = ({ alterado_por, alterado_em, versao }: MedicalRecord): string =>
  alterado_por && alterado_em
    ? `${alterado_por}, ${fullTime(alterado_em)} (versão\u00a0${versao})`
    : 'Nunca alterado'
