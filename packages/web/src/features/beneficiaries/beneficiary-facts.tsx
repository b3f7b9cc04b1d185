import { type Beneficiary, sexes } from '@bi-manager/contract'
import { birthText } from '../../ui/beneficiary-search/birth-text.ts'
import classes from './beneficiaries.module.css'

const NONE = '—'

/** The fields of a beneficiary except the name. */
export const BeneficiaryFacts = ({ beneficiary }: { beneficiary: Beneficiary }) => {
  const { id_beneficiario, sexo, plano, operadora } = beneficiary
  const facts = [
    ['ID', id_beneficiario],
    ['Nascimento', birthText(beneficiary)],
    ['Sexo', sexo ? sexes[sexo] : NONE],
    ['Plano', plano ?? NONE],
    ['Operadora', operadora ?? NONE],
  ] as const
  return (
    <dl className={classes.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
