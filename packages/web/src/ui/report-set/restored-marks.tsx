import { Alert } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'

/** Says that marks came back which were made before the session ended. */
export const RestoredMarks = () => (
  <Alert color="teal" role="status" icon={<IconHistory aria-hidden />}>
    Recuperamos o que você tinha marcado quando a sessão terminou. Confira e salve.
  </Alert>
)
