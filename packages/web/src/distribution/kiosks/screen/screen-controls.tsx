import {
  IconMaximize,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
} from '@tabler/icons-react'
import classes from './kiosk.module.css'
import type { RotationPlayer, Shown } from './rotation-player.ts'
import { dataTimeText, titleOf } from './shown-texts.ts'
import { toggleFullScreen } from './use-keys.ts'

interface ScreenControlsProps {
  isVisible: boolean
  shown: Shown | undefined
  total: number
  isPaused: boolean
  /** When the data was refreshed, as far as the portal knows. */
  dataTime: string | undefined
  player: RotationPlayer | undefined
}

/** The buttons that appear while the mouse moves, and when one of them has the focus. */
export const ScreenControls = ({
  isVisible,
  shown,
  total,
  isPaused,
  dataTime,
  player,
}: ScreenControlsProps) => (
  <div className={classes.controls} data-visible={isVisible || undefined}>
    <div className={classes.controlTexts}>
      <strong>{shown && titleOf(shown)}</strong>
      <span>
        {shown &&
          `${shown.index + 1} de ${total} · dados ${dataTimeText(shown, dataTime)}${isPaused ? ' · em pausa' : ''}`}
      </span>
    </div>
    <button
      type="button"
      aria-label="Página anterior"
      title="Anterior (←)"
      onClick={() => player?.previous()}
    >
      <IconPlayerSkipBack size={22} aria-hidden />
    </button>
    <button
      type="button"
      aria-label={isPaused ? 'Continuar' : 'Pausar'}
      title={isPaused ? 'Continuar (espaço)' : 'Pausar (espaço)'}
      onClick={() => player?.togglePause()}
    >
      {isPaused ? <IconPlayerPlay size={22} aria-hidden /> : <IconPlayerPause size={22} aria-hidden />}
    </button>
    <button type="button" aria-label="Próxima página" title="Próxima (→)" onClick={() => player?.next()}>
      <IconPlayerSkipForward size={22} aria-hidden />
    </button>
    <button type="button" aria-label="Tela cheia" title="Tela cheia (F)" onClick={toggleFullScreen}>
      <IconMaximize size={22} aria-hidden />
    </button>
  </div>
)
