import type { SavedView } from '@bi-manager/contract'
import '@mantine/core/styles/Menu.layer.css'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import shared from '../../ui/shared.module.css'
import classes from './saved-views.module.css'

interface SavedViewRowProps {
  view: SavedView
  isBusy: boolean
  onApply: () => void
  onOverwrite: () => void
  onRename: () => void
  onDefault: (padrao: boolean) => void
  onDelete: () => void
}

export const SavedViewRow = ({ view, isBusy, onApply, ...actions }: SavedViewRowProps) => {
  const { nome, padrao } = view
  return (
    <div className={classes.row} aria-busy={isBusy}>
      <button type="button" className={`${shared.plainButton} ${classes.apply}`} onClick={onApply}>
        <span className={shared.breakable}>{nome}</span>
        {padrao && <span className={`${shared.active} ${shared.mark}`}>Padrão</span>}
      </button>
      {/* No portal: a click in the menu must not count as outside. Fixed, to avoid clipping. */}
      <Menu
        position="bottom-end"
        shadow="md"
        withinPortal={false}
        floatingStrategy="fixed"
        returnFocus
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>
          <ActionIcon aria-label={`Ações da visão ${nome}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={actions.onOverwrite}>Substituir pelo que está na tela</Menu.Item>
          <Menu.Item onClick={actions.onRename}>Renomear</Menu.Item>
          <Menu.Item onClick={() => actions.onDefault(!padrao)}>
            {padrao ? 'Não abrir mais com esta visão' : 'Tornar padrão'}
          </Menu.Item>
          <Menu.Item c="var(--mantine-color-error)" onClick={actions.onDelete}>
            Excluir
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
