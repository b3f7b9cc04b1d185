import { contrastChecks, nearestPassing, ratioText } from '@bi-manager/contract'
import { TextInput, useMantineTheme } from '@mantine/core'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { ActionButton } from '../../ui/action-button.tsx'
import classes from './appearance.module.css'
import type { AppearanceDraft } from './use-appearance-draft.ts'

interface ColorFieldProps {
  draft: AppearanceDraft
  /** The server's refusal. */
  fault: string | undefined
  onChange: AppearanceDraft['change']
}

/** The colour, its measured contrasts, and the nearest colour that passes where it does not. */
export const ColorField = ({ draft, fault, onChange }: ColorFieldProps) => {
  const { cor, wholeColor, colorFault } = draft
  const usual = useMantineTheme().colors.teal?.[8] ?? ''
  return (
    <div className={classes.field}>
      <TextInput
        label="Cor"
        description="Botões, links e destaques. Vazio, fica a cor do BI Manager."
        placeholder="#rrggbb"
        value={cor}
        maxLength={7}
        spellCheck={false}
        error={colorFault ?? fault}
        onChange={({ currentTarget }) => onChange({ cor: currentTarget.value.trim() })}
        rightSectionWidth="3.25rem"
        rightSection={
          <input
            type="color"
            aria-label="Escolher a cor na paleta"
            className={classes.swatch}
            value={wholeColor ?? usual}
            onChange={({ currentTarget }) => onChange({ cor: currentTarget.value })}
          />
        }
      />
      {wholeColor && <Checks color={wholeColor} />}
      {wholeColor && colorFault && (
        <div>
          <ActionButton
            size="xs"
            type="button"
            label={`Usar ${nearestPassing(wholeColor)}`}
            onClick={() => onChange({ cor: nearestPassing(wholeColor) })}
          />
        </div>
      )}
    </div>
  )
}

const Checks = ({ color }: { color: string }) => (
  <ul className={classes.checks} aria-label="Contraste da cor">
    {contrastChecks(color).map(({ what, ratio, passes }) => {
      const IconOf = passes ? IconCircleCheck : IconCircleX
      return (
        <li key={what} data-fails={!passes || undefined}>
          <IconOf size={18} aria-label={passes ? 'Passa' : 'Não passa'} />
          {what}
          <strong>{ratioText(ratio)}</strong>
        </li>
      )
    })}
  </ul>
)
