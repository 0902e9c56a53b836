// The entry of the built server (tools/bundle-server.mjs): the same as main.mjs, and errors say where in the sources they arose.
import './built-lines.mjs'
import './main.mjs'
