import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import dialog from '../../ui/dialog/dialog.module.css'
import classes from './alert.module.css'

/** Shows the secret of a webhook, which the server returns only once. */
export const NewSecret = ({ segredo, onClose }: { segredo: string; onClose: () => void }) => (
  <>
    <Text size="sm">
      O segredo do webhook assina cada aviso: com ele, quem recebe confere que veio do portal.
    </Text>
    <code className={classes.secret} data-testid="segredo">
      {segredo}
    </code>
    <CopyButton size="sm" text={segredo} label="Copiar segredo" done="Segredo copiado" />
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} mt="md">
      Ele não aparece de novo. Se o perder, troque-o na página do alerta.
    </Alert>
    <div className={dialog.buttons}>
      <Button onClick={onClose}>Concluir</Button>
    </div>
  </>
)
