import { Button } from '../button.tsx'
import dialog from './dialog.module.css'

interface FormAnswersProps {
  /** The verb of the submitting button: 'Enviar convite'. */
  submit: string
  isPending: boolean
  onCancel: () => void
}

/** The buttons of a form in a dialog. */
export const FormAnswers = ({ submit, isPending, onCancel }: FormAnswersProps) => (
  <div className={dialog.answers}>
    <Button variant="default" onClick={onCancel} disabled={isPending}>
      Cancelar
    </Button>
    <Button type="submit" loading={isPending}>
      {submit}
    </Button>
  </div>
)
