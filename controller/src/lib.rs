//! Watches the resources, calls the engine, applies and reports.
