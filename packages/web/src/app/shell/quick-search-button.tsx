import { ActionIcon } from '@mantine/core'
import { useHotkeys, useWindowEvent } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

const QuickSearch = lazy(() =>
  import('../quick-search/quick-search.tsx').then((m) => ({ default: m.QuickSearch })),
)
const ShortcutsDialog = lazy(() =>
  import('../quick-search/shortcuts-dialog.tsx').then((m) => ({ default: m.ShortcutsDialog })),
)

/** A dialog whose code is loaded when it is first opened. */
const useLazyDialog = () => {
  const [state, setState] = useState<'unused' | 'open' | 'closed'>('unused')
  return {
    isUsed: state !== 'unused',
    opened: state === 'open',
    open: () => setState('open'),
    /** Opens the search after a key press, unless another dialog is open. */
    openAlone: () => {
      if (!document.querySelector('[role="dialog"]')) setState('open')
    },
    onClose: () => setState('closed'),
  }
}

/** The button of the quick search, with the portal's shortcuts: Ctrl+K or ⌘K, and '?'. */
export const QuickSearchButton = ({ onSignOut }: { onSignOut: () => void }) => {
  const search = useLazyDialog()
  const shortcuts = useLazyDialog()
  useHotkeys([['mod+K', search.openAlone]], [])
  // A report of the local service tells the portal when these keys were pressed inside it.
  useWindowEvent('quickSearch', search.openAlone)
  useWindowEvent('shortcuts', shortcuts.openAlone)
  // '?' needs the shift key on most keyboards.
  useHotkeys([
    ['shift+?', shortcuts.openAlone],
    ['?', shortcuts.openAlone],
  ])
  return (
    <>
      <ActionIcon
        size="lg"
        aria-label="Busca rápida"
        aria-keyshortcuts="Control+K Meta+K"
        title="Busca rápida (Ctrl+K)"
        onClick={search.openAlone}
      >
        <IconSearch size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
      <Suspense fallback={null}>
        {search.isUsed && (
          <QuickSearch
            opened={search.opened}
            onClose={search.onClose}
            onShortcuts={shortcuts.open}
            onSignOut={onSignOut}
          />
        )}
        {shortcuts.isUsed && <ShortcutsDialog opened={shortcuts.opened} onClose={shortcuts.onClose} />}
      </Suspense>
    </>
  )
}
