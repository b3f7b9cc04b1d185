import { labelsOf, MAX_PARAMETERS, PARAMETER_EXAMPLE, reportEntity } from '@bi-manager/contract'
import { Switch, TagsInput } from '@mantine/core'
import type { ChangeEvent } from 'react'
import '@mantine/core/styles/Switch.layer.css'

const labels = labelsOf(reportEntity)

interface ParametersFieldsProps {
  parameters: {
    name: string
    value: string[]
    onChange: (value: string[]) => void
    error: string | undefined
  }
  panel: { name: string; checked: boolean; onChange: (event: ChangeEvent<HTMLInputElement>) => void }
}

/** The parameters of a paginated report, and whether readers may choose others. */
export const ParametersFields = ({ parameters, panel }: ParametersFieldsProps) => (
  <>
    <TagsInput
      label={labels.parametros}
      description={`Os valores com que o relatório abre. Escreva ${PARAMETER_EXAMPLE} e Enter, com o nome que o parâmetro tem no relatório; para vários valores, repita o nome.`}
      placeholder={parameters.value.length === 0 ? PARAMETER_EXAMPLE : ''}
      maxTags={MAX_PARAMETERS}
      // A value may contain a comma.
      splitChars={[]}
      {...parameters}
    />
    <Switch
      label={labels.painelParametros}
      description="Mostra o painel de parâmetros no relatório. Desligado, valem sempre os valores acima. Parâmetros não são segurança: para isso, use papéis ou a identidade da pessoa."
      {...panel}
    />
  </>
)
