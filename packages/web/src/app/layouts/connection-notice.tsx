import { IconCloudOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { checkConnection, useReachable } from '../../lib/api/connection.ts'
import classes from './connection-notice.module.css'

const RETRY_MS = 5_000

/** A notice while the server is unreachable; keeps retrying. The page below stays mounted. */
export const ConnectionNotice = () => {
  const reachable = useReachable()
  useEffect(() => {
    if (reachable) return
    const timer = setInterval(checkConnection, RETRY_MS)
    window.addEventListener('online', checkConnection)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', checkConnection)
    }
  }, [reachable])

  return (
    <div role="status" className={classes.live}>
      {!reachable && (
        <p className={classes.notice}>
          <IconCloudOff size={18} aria-hidden />
          Sem conexão com o servidor. Tentando de novo a cada 5 segundos; o que está na tela continua aqui.
        </p>
      )}
    </div>
  )
}
