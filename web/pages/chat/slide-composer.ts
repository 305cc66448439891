const slideMs = 180

/** Before the page changes: the composer goes to its new place from where it stands, and stays what it is meanwhile. */
export function slideComposer(): void {
  const composer = document.querySelector('.askback-composer')
  const from = composer?.getBoundingClientRect().top
  if (!composer || from === undefined || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  // When the change is made, and not drawn yet.
  queueMicrotask(() => {
    const by = from - composer.getBoundingClientRect().top
    if (!composer.isConnected || by === 0) return
    const transform = [`translateY(${by}px)`, 'none']
    composer.animate({ transform }, { duration: slideMs, easing: 'ease-out' })
  })
}
