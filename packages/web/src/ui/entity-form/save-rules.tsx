import { ApiProblem } from '@bi-manager/contract'
import { Alert } from '@mantine/core'
import { IconDeviceFloppy } from '@tabler/icons-react'
import { messageOf } from '../../lib/api/api.ts'
import { ActionButton } from '../action-button.tsx'

interface SaveRulesProps {
  saving: { isPending: boolean; isSuccess: boolean }
  /** The error of the last save, unless a field shows it. */
  error: Error | null
  isDirty: boolean
  /** Whether the chosen rules cannot be saved. */
  isBlocked?: boolean
  /** A sentence for a person whose rules another ADMIN has changed. */
  outdated?: string
  isMain?: boolean
}

/** The end of a form of rules: the result of the last save, and the button. */
export const SaveRules = ({
  saving,
  error,
  isDirty,
  isBlocked = false,
  outdated = 'Confira as regras e grave de novo.',
  isMain = false,
}: SaveRulesProps) => (
  <>
    {error && (
      <Alert color="red" role="alert">
        {messageOf(error)}
        {error instanceof ApiProblem && error.status === 412 && ` ${outdated}`}
      </Alert>
    )}
    <div role="status">{saving.isSuccess && !isDirty && <Alert color="teal">Regras gravadas!</Alert>}</div>
    <div>
      <ActionButton
        isMain={isMain}
        icon={IconDeviceFloppy}
        label="Gravar"
        type="submit"
        disabled={!isDirty || isBlocked}
        loading={saving.isPending}
      />
    </div>
  </>
)
