import { Checkbox } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import shared from '../../../ui/shared.module.css'
import classes from '../../deliveries/delivery.module.css'
import { keptVisuals, type VisualOptions } from './visual-choice.ts'

interface VisualsFieldProps {
  options: VisualOptions
  /** Whether the content is what the screen shows. */
  isOnScreen: boolean
  /** Names; null: all visuals of the page. */
  value: string[] | null
  error: string | undefined
  onChange: (value: string[] | null) => void
}

/** The visuals whose rows a spreadsheet has. */
export const VisualsField = ({ options, isOnScreen, value, error, onChange }: VisualsFieldProps) => {
  const { known = [], stored } = options
  const howToChoose = isOnScreen
    ? ''
    : ' Para escolher alguns, abra a página no relatório e edite a assinatura ali.'
  if (known.length + stored.length === 0)
    return (
      <p className={classes.hint}>A planilha leva todos os visuais da página que têm dados.{howToChoose}</p>
    )
  const isGone = options.known !== undefined
  return (
    <Checkbox.Group
      label="Visuais da planilha"
      labelProps={{ className: shared.heading }}
      description="Cada visual com dados é uma aba do arquivo."
      value={value ?? known.map(({ nome }) => nome)}
      error={error}
      onChange={(ticked) => onChange(keptVisuals(ticked, options))}
    >
      <div className={classes.visuals}>
        {known.map(({ nome, titulo }) => (
          <Checkbox key={nome} value={nome} label={titulo} className={shared.breakable} />
        ))}
        {stored.map(({ nome, titulo }) => (
          <Checkbox
            key={nome}
            value={nome}
            label={titulo}
            className={shared.breakable}
            description={isGone ? 'Não está mais na página: desmarque-o.' : undefined}
          />
        ))}
      </div>
    </Checkbox.Group>
  )
}
