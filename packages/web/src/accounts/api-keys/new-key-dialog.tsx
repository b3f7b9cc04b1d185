import type { NewApiKey } from '@bi-manager/contract'
import { Alert, Checkbox, Text } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { dayText } from '../../lib/text/relative-time.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import dialog from '../../ui/dialog/dialog.module.css'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import classes from './api-keys.module.css'

interface NewKeyDialogProps {
  /** A new key; undefined closes the dialog. */
  created: NewApiKey | undefined
  /** Whether the MCP server answers. */
  hasMcp: boolean
  onClose: () => void
}

/** Shows a new key, which the server returns only once, until the person has copied it. */
export const NewKeyDialog = ({ created, hasMcp, onClose }: NewKeyDialogProps) => {
  const { shown, opening } = useDialogTarget(created)
  return (
    <Dialog
      opened={created !== undefined}
      onClose={() => undefined}
      closeOnClickOutside={false}
      closeOnEscape={false}
      isDone
      title="Chave criada!"
      size="lg"
    >
      {shown && <NewKey key={opening} created={shown} hasMcp={hasMcp} onClose={onClose} />}
    </Dialog>
  )
}

const NewKey = ({ created, hasMcp, onClose }: NewKeyDialogProps & { created: NewApiKey }) => {
  const [isKept, setKept] = useState(false)
  const { chave, credencial } = created
  return (
    <>
      <Text size="sm">
        <strong>{chave.nome}</strong>, até {dayText(chave.expiraEm)}.
      </Text>
      <code className={classes.credential} data-testid="chave">
        {credencial}
      </code>
      <CopyButton size="sm" text={credencial} label="Copiar chave" done="Chave copiada" />
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} mt="md">
        Ela não aparece de novo. Guarde-a onde o programa a lê, e em nenhum outro lugar: quem a tem age como
        você.
      </Alert>
      <Text size="sm" mt="md">
        O programa a envia em cada chamada, no cabeçalho:
      </Text>
      <code className={classes.example}>Authorization: Bearer {chave.prefixo}…</code>
      {hasMcp && chave.grupos.includes('DADOS') && (
        <>
          <Text size="sm" mt="md">
            Um assistente de IA, como servidor MCP, neste endereço:
          </Text>
          <code className={classes.example}>{window.location.origin}/mcp</code>
        </>
      )}
      <Checkbox
        mt="lg"
        label="Copiei a chave"
        checked={isKept}
        onChange={({ currentTarget }) => setKept(currentTarget.checked)}
      />
      <div className={dialog.buttons}>
        <Button onClick={onClose} disabled={!isKept}>
          Concluir
        </Button>
      </div>
    </>
  )
}
