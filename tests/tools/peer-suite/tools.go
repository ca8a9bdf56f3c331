//go:build tools

// Package tools pins the peer's own integration suite, which the tests run against signet.
package tools

import (
	_ "github.com/bitnami/sealed-secrets/integration"
)
