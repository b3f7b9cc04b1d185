import { Alert } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'

interface RestoredNoticeProps {
  /** The participle of what the person did: 'digitado', 'marcado', 'escolhido'. */
  done: string
  /** The imperative of saving: 'grave', 'salve'. */
  save: string
}

/** Says that unsaved input was restored after a redirect (session end, second factor). */
export const RestoredNotice = ({ done, save }: RestoredNoticeProps) => (
  <Alert color="teal" role="status" icon={<IconHistory aria-hidden />}>
    Recuperamos o que você tinha {done} antes de sair desta página. Confira e {save}.
  </Alert>
)
