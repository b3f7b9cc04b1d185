import type { KioskRotation } from '@bi-manager/contract'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { loadNewVersion, useHasNewVersion } from '../../../lib/api/new-version.ts'
import { usePageTitle } from '../../../lib/navigation/page-title.ts'
import { holdPortalScheme } from '../../../reports/index.ts'
import classes from './kiosk.module.css'
import type { PlayerStatus, Shown } from './rotation-player.ts'
import { ScreenControls } from './screen-controls.tsx'
import { sentenceOf } from './shown-texts.ts'
import { StatusStrip } from './status-strip.tsx'
import { useDataTime } from './use-data-time.ts'
import { useKeys } from './use-keys.ts'
import { usePlayer } from './use-player.ts'
import { useRotation } from './use-rotation.ts'
import { useWakeLock } from './use-wake-lock.ts'

/** Milliseconds before the first attempt, too: a page that is loaded again and again stays usable. */
const everyMs = 30_000

/** Loads each new version of the portal without a question: a screen has no user to answer it. */
const useNewVersions = (): void => {
  const hasNewVersion = useHasNewVersion()
  useEffect(() => {
    if (!hasNewVersion) return
    const life = new AbortController()
    const timer = setInterval(() => void loadNewVersion(life.signal).catch(() => undefined), everyMs)
    return () => {
      clearInterval(timer)
      life.abort()
    }
  }, [hasNewVersion])
}

/** Milliseconds without a movement after which cursor and buttons hide. */
const idleMs = 3_000

/** Whether the mouse, a finger or a key was used in the last seconds. */
const useActivity = (): boolean => {
  const [isActive, setActive] = useState(true)
  useEffect(() => {
    const life = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const wake = () => {
      setActive(true)
      clearTimeout(timer)
      timer = setTimeout(() => setActive(false), idleMs)
    }
    for (const event of ['pointermove', 'pointerdown', 'keydown'])
      window.addEventListener(event, wake, { signal: life.signal })
    wake()
    return () => {
      life.abort()
      clearTimeout(timer)
    }
  }, [])
  return isActive
}

const noPages: KioskRotation['paginas'] = []

/** Shows the pages of a kiosk in turn, over the whole window. */
export const RotationScreen = ({ credential }: { credential: string }) => {
  const { rotation, refusal, silentSince } = useRotation(credential)
  const places = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)] as const
  const { status, player } = usePlayer(credential, rotation?.paginas ?? noPages, places)
  const isActive = useActivity()
  useWakeLock()
  useNewVersions()
  useKeys(player)
  usePageTitle(rotation?.nome)
  const look = rotation?.aparencia
  // The frames of reports follow the theme of the root.
  useLayoutEffect(() => (look ? holdPortalScheme(look === 'ESCURO' ? 'dark' : 'light') : undefined), [look])
  const { shown, isPaused } = status
  const dataTime = useDataTime(credential, shown)
  const message = shown ? undefined : (refusal ?? messageFor(rotation, status, silentSince !== undefined))
  return (
    <main
      className={`${classes.screen} ${isActive ? '' : classes.idle}`}
      // Dark until the look is known: no white flash.
      data-look={rotation?.aparencia ?? 'ESCURO'}
      aria-label={rotation?.nome ?? 'Telão'}
    >
      <h1 className={classes.screenReaderOnly}>{rotation?.nome ?? 'Telão'}</h1>
      {places.map((place, index) => (
        <Place key={place === places[0] ? 'um' : 'outro'} place={place} isShown={shown?.stage === index} />
      ))}
      {message && (
        <div className={classes.message} role="status">
          <p>{message}</p>
        </div>
      )}
      {(shown || silentSince !== undefined) && (
        <StatusStrip status={status} silentSince={silentSince} dataTime={dataTime} />
      )}
      {shown && (rotation?.paginas.length ?? 0) > 0 && <Progress shown={shown} isPaused={isPaused} />}
      <ScreenControls
        isVisible={isActive}
        shown={shown}
        total={rotation?.paginas.length ?? 0}
        isPaused={isPaused}
        dataTime={dataTime}
        player={player}
      />
    </main>
  )
}

/** A place of one stage. Nothing in it takes the focus: the keys control the rotation. */
const Place = ({ place, isShown }: { place: RefObject<HTMLDivElement | null>; isShown: boolean }) => (
  <div
    ref={place}
    inert
    data-shown={isShown}
    className={`${classes.place} ${isShown ? classes.shown : ''}`}
  />
)

const Progress = ({ shown, isPaused }: { shown: Shown; isPaused: boolean }) => (
  <div className={classes.progress} aria-hidden>
    <div
      key={shown.turn}
      className={classes.progressBar}
      style={{
        animationDuration: `${shown.page.segundos}s`,
        animationPlayState: isPaused ? 'paused' : 'running',
      }}
    />
  </div>
)

const messageFor = (
  rotation: KioskRotation | undefined,
  { error }: PlayerStatus,
  isSilent: boolean,
): string => {
  if (!rotation) return isSilent ? 'Sem conexão com o portal. Tentando de novo…' : 'Abrindo o telão…'
  if (!rotation.ativo) return 'Este telão está desligado. Um administrador o liga no cadastro do telão.'
  if (rotation.paginas.length === 0)
    return `Nenhuma página para mostrar agora. ${rotation.motivo ?? 'Um administrador vê o motivo no cadastro do telão.'}`
  if (!error) return 'Abrindo os relatórios…'
  return `${sentenceOf(error)} A tela tenta de novo sozinha.`
}
