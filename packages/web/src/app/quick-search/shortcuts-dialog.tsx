import { Button, Group, Kbd, Stack } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { helpAddress } from '../../lib/navigation/help.ts'
import { useSession } from '../../lib/session/session.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { hasSearchKey } from '../../ui/page-search/use-search-key.ts'
import './shortcuts-mantine.css'

interface Shortcut {
  keys: string[]
  does: string
}

const shortcutsOf = (findsPeople: boolean, hasSearch: boolean): Shortcut[] => [
  {
    keys: ['Ctrl', 'K'],
    does: `Busca rápida de relatórios, telas${findsPeople ? ', pessoas' : ''} e ações (⌘ K no Mac)`,
  },
  ...(hasSearch ? [{ keys: ['/'], does: 'Buscar na página' }] : []),
  { keys: ['Esc'], does: 'Fechar o que está aberto sobre a página' },
  { keys: ['?'], does: 'Mostrar estes atalhos' },
]

interface ShortcutsDialogProps {
  opened: boolean
  onClose: () => void
}

/** The keyboard shortcuts, opened by '?'. */
export const ShortcutsDialog = ({ opened, onClose }: ShortcutsDialogProps) => (
  <Dialog opened={opened} onClose={onClose} title="Atalhos do teclado">
    <Shortcuts />
    <Group mt="lg" gap="0.625rem">
      <Button
        component={Link}
        to={helpAddress(useLocation().pathname)}
        variant="default"
        leftSection={<IconHelp size={18} aria-hidden />}
        onClick={onClose}
      >
        Ajuda desta tela
      </Button>
      <ActionButton label="Fechar" onClick={onClose} data-autofocus />
    </Group>
  </Dialog>
)

const Shortcuts = () => {
  const session = useSession()
  const [hasSearch] = useState(hasSearchKey)
  return (
    <Stack component="dl" gap="sm" m={0}>
      {shortcutsOf(session?.tipo === 'ADMIN', hasSearch).map(({ keys, does }) => (
        <Group key={does} justify="space-between" wrap="nowrap" gap="lg">
          <dt>{does}</dt>
          <Group component="dd" gap={4} m={0} wrap="nowrap">
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </Group>
        </Group>
      ))}
    </Stack>
  )
}
