const slideMs = 180

/** Call before the page changes: animates the composer from its old place to the new one. */
export function slideComposer(): void {
  const composer = document.querySelector('.askback-composer')
  const from = composer?.getBoundingClientRect().top
  if (!composer || from === undefined || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  // After the change, before it is painted.
  queueMicrotask(() => {
    const by = from - composer.getBoundingClientRect().top
    if (!composer.isConnected || by === 0) return
    const transform = [`translateY(${by}px)`, 'none']
    composer.animate({ transform }, { duration: slideMs, easing: 'ease-out' })
  })
}
