import { counted } from '../../lib/text/counted.ts'
import dialog from '../../ui/dialog/dialog.module.css'
import '../../ui/search-select/search-select-mantine.css'
import { Button } from '../../ui/button.tsx'
import { OperadoraInput } from '../../ui/fields/operadora-input.tsx'
import shared from '../../ui/shared.module.css'
import classes from './import-reports.module.css'

interface CommonOperadoraProps {
  value: string
  onChange: (text: string) => void
}

/** The operadora of the ticked reports that have no other. */
export const CommonOperadora = ({ value, onChange }: CommonOperadoraProps) => (
  <OperadoraInput
    label="Operadora para todos"
    description="Vale para os relatórios marcados que não têm outra."
    value={value}
    onChange={onChange}
    data-autofocus
  />
)

interface ImportFooterProps {
  ticked: number
  /** The person tried to import without ticking a report. */
  isNoneTicked: boolean
  /** Shown instead of the count while reports are read. */
  progress?: string | false
  isSaving: boolean
  /** Returns without importing. */
  back: { label: string; onClick: () => void }
}

/** Says how many reports are ticked, and submits the form. */
export const ImportFooter = ({ ticked, isNoneTicked, progress, isSaving, back }: ImportFooterProps) => (
  <div className={`${dialog.footer} ${shared.toolbar}`}>
    <span role="status" className={isNoneTicked ? classes.missing : shared.note}>
      {progress || (isNoneTicked ? 'Marque ao menos um relatório.' : tickedText(ticked))}
    </span>
    <div className={shared.buttons}>
      <Button variant="default" onClick={back.onClick} disabled={isSaving}>
        {back.label}
      </Button>
      <Button type="submit" loading={isSaving}>
        Importar
      </Button>
    </div>
  </div>
)

const tickedText = (count: number): string =>
  count === 0 ? 'Nenhum relatório marcado' : counted(count, 'relatório marcado', 'relatórios marcados')
