import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useHasNewVersion } from '../../lib/api/new-version.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import classes from './update-notice.module.css'

/** Offers to load a new version of the portal. It never reloads by itself: a form may be open. */
export const UpdateNotice = () => {
  const hasNewVersion = useHasNewVersion()
  const [isPutOff, setPutOff] = useState(false)
  return (
    <div role="status" className={classes.place}>
      {hasNewVersion && !isPutOff && (
        <div className={classes.notice}>
          <p>Há uma nova versão do portal.</p>
          <ActionButton
            isMain
            size="xs"
            icon={IconRefresh}
            label="Atualizar"
            onClick={() => window.location.reload()}
          />
          <ActionButton size="xs" variant="subtle" label="Depois" onClick={() => setPutOff(true)} />
        </div>
      )}
    </div>
  )
}
