import { Alert } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'

interface RestoredNoticeProps {
  /** What the person had done: 'digitado', 'marcado', 'escolhido'. */
  done: string
  /** What saves it: 'grave', 'salve'. */
  save: string
}

/** Says that what was not saved came back, after the portal led away from it (the session's end, a second factor). */
export const RestoredNotice = ({ done, save }: RestoredNoticeProps) => (
  <Alert color="teal" role="status" icon={<IconHistory aria-hidden />}>
    Recuperamos o que você tinha {done} antes de sair desta página. Confira e {save}.
  </Alert>
)
