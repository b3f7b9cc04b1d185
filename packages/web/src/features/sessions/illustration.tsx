import classes from './illustration.module.css'

/** Three panels of a report, drawn by hand. Purely decorative. */
export const Illustration = ({ className }: { className?: string }) => (
  <svg viewBox="0 0 560 380" className={className} aria-hidden="true">
    <defs>
      <linearGradient id="area" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor="#7bcbc3" stopOpacity="0.55" />
        <stop offset="1" stopColor="#7bcbc3" stopOpacity="0" />
      </linearGradient>
      <linearGradient id="bar" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor="#abded8" />
        <stop offset="1" stopColor="#4fb6ac" />
      </linearGradient>
    </defs>

    <g className={classes.panel}>
      <rect x="20" y="36" width="400" height="236" rx="18" />
      <rect x="48" y="64" width="112" height="9" rx="4.5" className={classes.ink} />
      <rect x="48" y="83" width="68" height="7" rx="3.5" className={classes.faint} />
      <path d="M48 134h344M48 176h344M48 218h344" className={classes.grid} />
      <path
        d="M48 212C78 206 92 176 122 178s44 30 74 18 40-66 72-68 46 34 72 26 36-36 52-42v132H48Z"
        fill="url(#area)"
      />
      <path
        d="M48 212C78 206 92 176 122 178s44 30 74 18 40-66 72-68 46 34 72 26 36-36 52-42"
        className={classes.line}
      />
      <circle cx="268" cy="128" r="6.5" className={classes.point} />
      <rect x="240" y="90" width="56" height="22" rx="11" fill="#f4b04f" />
      <rect x="253" y="98" width="30" height="6" rx="3" fill="#5c3b00" />
    </g>

    <g className={classes.raised}>
      <rect x="356" y="12" width="184" height="150" rx="18" />
      <circle cx="420" cy="87" r="38" className={classes.ring} />
      <circle
        cx="420"
        cy="87"
        r="38"
        className={classes.arc}
        pathLength="100"
        strokeDasharray="62 100"
        transform="rotate(-90 420 87)"
      />
      <circle
        cx="420"
        cy="87"
        r="38"
        className={classes.arcAccent}
        pathLength="100"
        strokeDasharray="18 100"
        transform="rotate(140 420 87)"
      />
      <rect x="476" y="64" width="44" height="8" rx="4" className={classes.ink} />
      <rect x="476" y="82" width="34" height="7" rx="3.5" className={classes.faint} />
      <rect x="476" y="99" width="40" height="7" rx="3.5" className={classes.faint} />
    </g>

    <g className={classes.raised}>
      <rect x="268" y="214" width="232" height="146" rx="18" />
      <rect x="292" y="236" width="76" height="8" rx="4" className={classes.ink} />
      <g fill="url(#bar)">
        <rect x="292" y="304" width="22" height="32" rx="5" />
        <rect x="326" y="288" width="22" height="48" rx="5" />
        <rect x="360" y="296" width="22" height="40" rx="5" />
        <rect x="394" y="272" width="22" height="64" rx="5" />
        <rect x="462" y="258" width="22" height="78" rx="5" />
      </g>
      <rect x="428" y="280" width="22" height="56" rx="5" fill="#f4b04f" />
    </g>

    <g className={classes.raised}>
      <rect x="56" y="248" width="180" height="92" rx="18" />
      <rect x="80" y="272" width="60" height="7" rx="3.5" className={classes.faint} />
      <rect x="80" y="292" width="92" height="20" rx="6" className={classes.ink} />
      <path d="M196 308v-20m0 0-9 9m9-9 9 9" className={classes.arrow} />
    </g>
  </svg>
)
